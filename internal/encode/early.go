package encode

import (
	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/par"
)

// early counts features while others are still read, and while one core decides what to
// make of them: cores that begin after that are woken for it, which takes as long as the
// counting. It counts the raw features of all records; where those are not the terms of the
// records that stay, they are counted again.
type early struct {
	may     bool
	ids     bool // the memory of ids is asked for
	own     par.Helpers[tally]
	group   par.Group
	records int
}

func newEarly(s Settings) *early {
	return &early{
		may: par.Workers(s.Workers) > 1 && s.Where == "",
		ids: s.MaxMemory > 0,
		own: par.Helpers[tally]{Make: func() *tally { return new(tally) }},
	}
}

// add has a chunk counted that stays in memory, if that is possible. That is a fourteenth of
// the work of reading a docword file, and lost where features turn out to be words.
func (y *early) add(c *chunk) {
	if y.records += c.n(); !y.may || !c.distinct || c.small == nil || y.records > mostBoth {
		return
	}
	c.counted = true
	y.group.Go(func() {
		t := y.own.Take()
		defer y.own.Give(t)
		if len(c.feature) > 0 {
			t.room(int(kernel.Largest(c.feature)) + 1)
		}
		t.allRecords(c, y.ids)
		t.allEntries(c)
	})
}

// end waits for all and returns what was counted, if that holds.
func (y *early) end(chunks []*chunk, holds bool) []*tally {
	y.group.Wait()
	if holds {
		return par.All(&y.own)
	}
	for _, c := range chunks {
		c.counted = false
	}
	return nil
}
