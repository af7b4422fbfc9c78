package api

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
)

// Job is long work: one after the other, with progress, and to be cancelled at
// any stage.
type Job struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`    // "read", "light", "fit", "score"
	Subject string `json:"subject"` // what it is about: a file, a run
	State   State  `json:"state"`
	// Steps are the stages so far, the latest last.
	Steps   []Step  `json:"steps"`
	Waiting int     `json:"waiting" gate:"jobs before this one"`
	Seconds float64 `json:"seconds" gate:"time of work"`
	// Left is about how long the step at work takes on; 0 where nobody can say.
	Left   float64 `json:"left" gate:"time of work"`
	Run    string  `json:"run,omitempty"` // the run that a fit made
	Result any     `json:"result,omitempty"`
	Error  *Error  `json:"error,omitempty"`
}

// State is how far a job is.
type State string

// States of a job.
const (
	Waiting   State = "waiting"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	WasCancel State = "cancelled"
)

// Over reports whether nothing more will happen.
func (s State) Over() bool { return s != Waiting && s != Running }

// Step is one stage of a job.
type Step struct {
	Name  string `json:"name"`
	Done  int64  `json:"done" gate:"progress"`
	Total int64  `json:"total" gate:"progress"`
	Unit  string `json:"unit"`
	Note  string `json:"note,omitempty"`
	Over  bool   `json:"over"`
}

// work does a job; what it returns is the job's result, and the run it made.
type work func(ctx context.Context) (result any, run string, err error)

// queue does jobs one at a time, in the order in which they came.
type queue struct {
	now  func() time.Time
	base context.Context // of all work

	mu      sync.Mutex
	last    int
	list    []*task // the oldest first
	closed  bool
	running sync.WaitGroup
	breath  breath // between two pieces of work
}

type task struct {
	job     Job
	do      work
	started time.Time
	stepped time.Time // when the step at work began
	cancel  context.CancelFunc
	changed chan struct{} // closed at every change, and made anew

	// answers names the question that the job asks of data; rides is a job that is at
	// the same question already, whose answer this one takes: until that is there, its
	// steps are those of this job.
	answers string
	rides   *task
}

// keptJobs are those whose end is remembered.
const keptJobs = 50

// mostWaiting bounds the queue.
const mostWaiting = 20

// add puts a job at the end of the queue.
func (q *queue) add(kind, subject string, do work) (*Job, error) {
	return q.ask("", kind, subject, do)
}

// ask puts a job at the end of the queue that begins with a question of which others
// may be before it.
func (q *queue) ask(question, kind, subject string, do work) (*Job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, &Error{Kind: Busy, Message: "The program is stopping."}
	}
	if len(q.waiting()) >= mostWaiting {
		return nil, &Error{Kind: Busy, Message: "Too much work is waiting: cancel some of it, or try again later."}
	}
	q.last++
	t := &task{job: Job{ID: strconv.Itoa(q.last), Kind: kind, Subject: subject, State: Waiting, Steps: []Step{}}, do: do, changed: make(chan struct{}), answers: question}
	if i := slices.IndexFunc(q.list, func(x *task) bool { return question != "" && x.answers == question && x.job.State == Running }); i >= 0 {
		t.rides = q.list[i]
	}
	q.list = append(q.list, t)
	for len(q.list) > keptJobs && q.list[0].job.State.Over() {
		q.list = q.list[1:]
	}
	q.next()
	j := q.view(t)
	return &j, nil
}

// waiting returns the jobs that did not begin; the lock is held.
func (q *queue) waiting() []*task {
	var out []*task
	for _, t := range q.list {
		if t.job.State == Waiting {
			out = append(out, t)
		}
	}
	return out
}

// next begins the next job where none runs; the lock is held.
func (q *queue) next() {
	if slices.ContainsFunc(q.list, func(t *task) bool { return t.job.State == Running }) {
		return
	}
	list := q.waiting()
	if len(list) == 0 {
		return
	}
	t := list[0]
	ctx, cancel := context.WithCancel(q.base)
	t.cancel, t.started = cancel, q.now()
	q.set(t, func(j *Job) {
		j.State = Running
		if t.rides != nil { // what was done for it before
			t.started, j.Steps = t.rides.started, t.rides.job.Steps
		}
	})
	t.rides = nil
	q.running.Add(1)
	go q.run(ctx, t)
}

func (q *queue) run(ctx context.Context, t *task) {
	defer q.running.Done()
	defer t.cancel()
	var result any
	var made string
	var err error
	listening := progress.With(ctx, func(e progress.Event) { q.hear(t, e) })
	if caught := par.Catch(func() { result, made, err = t.do(listening) }); caught != nil {
		err = &Error{Kind: Fault, Message: "The program failed on these data. Nothing was kept; please report it.", err: nil}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.set(t, func(j *Job) {
		j.Seconds = q.now().Sub(t.started).Seconds()
		for i := range j.Steps {
			j.Steps[i].Over = true
		}
		switch {
		case err == nil:
			j.State, j.Result, j.Run = Done, result, made
		case ctx.Err() != nil:
			j.State, j.Error = WasCancel, Wrap(context.Canceled)
		default:
			j.State, j.Error = Failed, Wrap(err)
		}
	})
	q.next()
}

// hear notes how far a step is.
func (q *queue) hear(t *task, e progress.Event) {
	q.note(t, e)
	q.breath.take(q.now)
}

func (q *queue) note(t *task, e progress.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.job.State != Running {
		return
	}
	q.set(t, func(j *Job) {
		s := Step{Name: e.Step, Done: e.Done, Total: e.Total, Unit: e.Unit, Note: e.Note}
		if n := len(j.Steps); n == 0 || j.Steps[n-1].Name != e.Step {
			t.stepped = q.now()
		}
		if n := len(j.Steps); n > 0 && j.Steps[n-1].Name == e.Step {
			j.Steps[n-1] = s
			return
		}
		for i := range j.Steps {
			j.Steps[i].Over = true
		}
		at := slices.IndexFunc(j.Steps, func(x Step) bool { return x.Name == e.Step })
		if at >= 0 { // a step that comes again: refining one group after another
			j.Steps = slices.Delete(j.Steps, at, at+1)
		}
		j.Steps = append(j.Steps, s)
	})
}

// set changes a job and wakes who watches it; the lock is held.
func (q *queue) set(t *task, how func(*Job)) {
	t.job.Steps = slices.Clone(t.job.Steps) // views of before keep theirs
	how(&t.job)
	wake(t)
	for _, x := range q.list {
		if x.rides == t && x.job.State == Waiting {
			wake(x)
		}
	}
}

// wake tells who watches a job that it has changed.
func wake(t *task) {
	close(t.changed)
	t.changed = make(chan struct{})
}

// view returns a job as it is now; the lock is held.
func (q *queue) view(t *task) Job {
	j := t.job
	if before := t.rides; before != nil && j.State == Waiting && before.job.State == Running {
		j = q.view(before)
		j.ID, j.Kind, j.Subject = t.job.ID, t.job.Kind, t.job.Subject
		return j
	}
	if j.State == Running {
		now := q.now()
		j.Seconds = now.Sub(t.started).Seconds()
		if n := len(j.Steps); n > 0 {
			j.Left = left(j.Steps[n-1], now.Sub(t.stepped).Seconds())
		}
	}
	if j.State == Waiting {
		for _, x := range q.list {
			if x == t {
				break
			}
			if !x.job.State.Over() {
				j.Waiting++
			}
		}
	}
	return j
}

// tooEarly is the share of a step below which its speed says nothing.
const tooEarly = .05

// left returns how long a step takes on that has taken so many seconds, 0 where that
// cannot be said yet.
func left(s Step, seconds float64) float64 {
	if s.Total <= 0 || float64(s.Done) < tooEarly*float64(s.Total) || s.Done >= s.Total {
		return 0
	}
	return seconds * float64(s.Total-s.Done) / float64(s.Done)
}

func (q *queue) find(id string) (*task, error) {
	for _, t := range q.list {
		if t.job.ID == id {
			return t, nil
		}
	}
	return nil, unknown("There is no work of that number any more.")
}

// close cancels everything and waits for it.
func (q *queue) close(ctx context.Context) error {
	q.mu.Lock()
	q.closed = true
	for _, t := range q.list {
		q.stop(t)
	}
	q.mu.Unlock()
	gone := make(chan struct{})
	go func() { q.running.Wait(); close(gone) }()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stop cancels a job; the lock is held.
func (q *queue) stop(t *task) {
	switch t.job.State {
	case Waiting:
		if t.rides != nil {
			q.stop(t.rides)
		}
		q.set(t, func(j *Job) { j.State, j.Error = WasCancel, Wrap(context.Canceled) })
	case Running:
		t.cancel()
	}
}

// JobRequest names a job.
type JobRequest struct {
	Job string `json:"job"`
}

// Job returns a job as it is now.
func (a *API) Job(_ context.Context, r JobRequest) (*Job, error) {
	q := &a.jobs
	q.mu.Lock()
	defer q.mu.Unlock()
	t, err := q.find(r.Job)
	if err != nil {
		return nil, err
	}
	j := q.view(t)
	return &j, nil
}

// Watch returns a job as it is now, and a channel that is closed when it changes.
func (a *API) Watch(id string) (*Job, <-chan struct{}, error) {
	q := &a.jobs
	q.mu.Lock()
	defer q.mu.Unlock()
	t, err := q.find(id)
	if err != nil {
		return nil, nil, err
	}
	j := q.view(t)
	return &j, t.changed, nil
}

// Cancel ends a job; what it had begun to write is gone when it is over.
func (a *API) Cancel(ctx context.Context, r JobRequest) (*Job, error) {
	q := &a.jobs
	q.mu.Lock()
	t, err := q.find(r.Job)
	if err == nil {
		q.stop(t)
	}
	q.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return a.Job(ctx, r)
}

// Jobs lists all jobs that are known, the latest first.
func (a *API) Jobs(context.Context, Nothing) (*JobList, error) {
	q := &a.jobs
	q.mu.Lock()
	defer q.mu.Unlock()
	out := &JobList{Jobs: []Job{}}
	for _, t := range slices.Backward(q.list) {
		j := q.view(t)
		j.Result = nil
		out.Jobs = append(out.Jobs, j)
	}
	return out, nil
}

// JobList is a list of jobs.
type JobList struct {
	Jobs []Job `json:"jobs"`
}
