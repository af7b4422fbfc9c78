package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/moiety-go/moiety/internal/progress"
)

// meter shows the progress of long work on standard error: a bar on a terminal,
// lines elsewhere, JSON lines on request. Events come from many goroutines.
type meter struct {
	mu    sync.Mutex
	out   *os.File
	style string // bar, plain, json, none
	width int
	now   func() time.Time

	step    string
	seen    map[string]bool // steps that were named in a line of their own
	begun   time.Time       // of the step
	from    int64           // units done when the step began
	shown   time.Time       // of the last thing shown
	showing bool            // a bar is on the line
	heard   atomic.Bool     // something was done
}

// How often something is shown.
const (
	barEvery   = 100 * time.Millisecond
	plainEvery = 5 * time.Second
	jsonEvery  = 200 * time.Millisecond
)

func newMeter(a *app) *meter {
	n := &meter{out: a.err, style: a.progress, now: time.Now, width: 80, seen: map[string]bool{}}
	if n.style == "auto" {
		n.style = "plain"
		if term.IsTerminal(int(a.err.Fd())) {
			n.style = "bar"
			if w, _, err := term.GetSize(int(a.err.Fd())); err == nil && w > 20 {
				n.width = w
			}
		}
	}
	if a.quiet {
		n.style = "none"
	}
	return n
}

// listen is the progress.Listener.
func (n *meter) listen(e progress.Event) {
	n.heard.Store(true)
	if n.style == "none" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.now()
	fresh := e.Step != n.step
	if fresh {
		n.finishLine()
		n.step, n.begun, n.from = e.Step, now, e.Done
	}
	last := e.Total > 0 && e.Done >= e.Total
	switch n.style {
	case "bar":
		if fresh || last || now.Sub(n.shown) >= barEvery {
			n.bar(e, now)
			n.shown = now
		}
	case "plain":
		if !n.seen[e.Step] || now.Sub(n.shown) >= plainEvery {
			n.seen[e.Step] = true
			fmt.Fprintln(n.out, n.line(e, now))
			n.shown = now
		}
	case "json":
		if fresh || last || now.Sub(n.shown) >= jsonEvery {
			n.json(e, now)
			n.shown = now
		}
	}
}

// line words an event.
func (n *meter) line(e progress.Event, now time.Time) string {
	s := e.Step
	percent := e.Unit == "%" // of the work, and no amount of anything
	switch {
	case percent && e.Done == 0:
	case percent:
		s += ": " + amount(e.Done, e.Unit)
	case e.Done > 0 && e.Total > 0 && e.Unit != "bytes":
		s += fmt.Sprintf(": %s of %s", thousands(e.Done), amount(e.Total, e.Unit))
	case e.Done > 0 && e.Total > 0:
		s += fmt.Sprintf(": %s of %s", amount(e.Done, e.Unit), amount(e.Total, e.Unit))
	case e.Done > 0:
		s += ": " + amount(e.Done, e.Unit)
	case e.Total > 0:
		s += ": " + amount(e.Total, e.Unit)
	}
	if rate, left := n.pace(e, now); rate > 0 {
		if !percent {
			s += ", " + amount(int64(rate), e.Unit) + "/s"
		}
		if left > 0 {
			s += ", " + duration(left) + " left"
		}
	}
	if e.Note != "" {
		s += " (" + e.Note + ")"
	}
	return harmless(s)
}

// pace returns units a second and the time left; zeros when not known yet.
func (n *meter) pace(e progress.Event, now time.Time) (rate float64, left time.Duration) {
	const enough = 500 * time.Millisecond
	took := now.Sub(n.begun)
	if took < enough || e.Done <= n.from {
		return 0, 0
	}
	rate = float64(e.Done-n.from) / took.Seconds()
	if e.Total > e.Done {
		left = time.Duration(float64(e.Total-e.Done) / rate * float64(time.Second))
	}
	return rate, left
}

// bar draws one line over the last one.
func (n *meter) bar(e progress.Event, now time.Time) {
	const cells = 24
	text := n.line(e, now)
	if e.Total > 0 && e.Done > 0 {
		full := int(min(e.Done, e.Total) * cells / e.Total)
		text = "[" + strings.Repeat("=", full) + strings.Repeat(" ", cells-full) + "] " + text
	}
	if r := []rune(text); len(r) >= n.width {
		text = string(r[:n.width-1])
	}
	fmt.Fprintf(n.out, "\r\x1b[K%s", text)
	n.showing = true
}

func (n *meter) json(e progress.Event, now time.Time) {
	rate, left := n.pace(e, now)
	text, err := json.Marshal(struct {
		Step  string  `json:"step"`
		Done  int64   `json:"done" gate:"progress over all records"`
		Total int64   `json:"total,omitempty" gate:"progress over all records"`
		Unit  string  `json:"unit,omitempty"`
		Note  string  `json:"note,omitempty"`
		Rate  float64 `json:"rate,omitempty" gate:"progress over all records"`
		Left  float64 `json:"seconds_left,omitempty" gate:"progress over all records"`
	}{e.Step, e.Done, e.Total, e.Unit, e.Note, rate, left.Seconds()})
	if err == nil {
		fmt.Fprintln(n.out, string(text))
	}
}

// finishLine takes the bar away; the caller holds the lock.
func (n *meter) finishLine() {
	if n.showing {
		fmt.Fprint(n.out, "\r\x1b[K")
		n.showing = false
	}
}

// clear makes room for a message.
func (n *meter) clear() {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.finishLine()
}

// amount writes a number of units: 12.3 MB, 1,204 records.
func amount(v int64, unit string) string {
	if unit == "bytes" {
		return byteSize(v)
	}
	s := thousands(v)
	if unit != "" {
		s += " " + unit
	}
	return s
}
