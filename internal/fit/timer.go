package fit

import "time"

// Timer measures the stages; without a clock it measures nothing.
type Timer struct {
	now     func() time.Time
	started time.Time
	last    time.Time
	stages  []Stage
}

// Stage is one stage and its seconds.
type Stage struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// NewTimer starts a timer; now may be nil.
func NewTimer(now func() time.Time) *Timer {
	t := &Timer{now: now}
	if now != nil {
		t.started = now()
		t.last = t.started
	}
	return t
}

// Timer starts the timer of an order. What the command did before is its first stage.
func (o *Order) Timer() *Timer {
	t := NewTimer(o.Now)
	if o.Now != nil && !o.Began.IsZero() {
		t.started, t.last = o.Began, o.Began
		t.Mark("starting")
	}
	return t
}

// Mark ends a stage.
func (t *Timer) Mark(name string) {
	if t.now == nil {
		return
	}
	at := t.now()
	t.stages = append(t.stages, Stage{name, at.Sub(t.last).Seconds()})
	t.last = at
}

// Stages returns when the work began, as RFC 3339, and its stages; nothing
// without a clock.
func (t *Timer) Stages() (started string, stages []Stage) {
	if t.now == nil {
		return "", nil
	}
	return t.started.UTC().Format(time.RFC3339), t.stages
}
