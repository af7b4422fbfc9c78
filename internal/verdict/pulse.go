package verdict

import (
	"context"
	"sync/atomic"

	"github.com/moiety-go/moiety/internal/progress"
)

// pulse says how far a verdict is, and hears that nobody wants it any more, every few
// rounds of EM: a verdict is thousands of them, and one fit of many records takes
// long. A nil pulse is silent.
type pulse struct {
	ctx    context.Context
	rounds atomic.Int64
	done   atomic.Int64 // hundredths of the work, as stages count
}

const judging = "judging how many groups there are"

// everyRounds is the number of rounds between two reports.
const everyRounds = 16

// beat counts a round of EM, and reports whether to go on.
func (p *pulse) beat() bool {
	if p == nil {
		return true
	}
	if p.rounds.Add(1)%everyRounds == 0 {
		p.tell()
	}
	return p.ctx.Err() == nil
}

// reached says that so many hundredths of the work are done.
func (p *pulse) reached(done int64) {
	if p != nil {
		p.done.Store(done)
		p.tell()
	}
}

func (p *pulse) tell() {
	progress.Report(p.ctx, progress.Event{Step: judging, Done: p.done.Load(), Total: 100, Unit: "%"})
}

// listen lets the fits of a judge be heard.
func (j *judge) listen(p *pulse) {
	j.pulse = p
	for _, f := range j.folds {
		f.path.pulse = p
	}
}
