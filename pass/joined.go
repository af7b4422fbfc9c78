package pass

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Joined runs passes over records that lie at several places, none of which
// shows them to another: every place runs the same fit in step, and the states
// of its own records are added up by an Exchange. What is learned is what one
// runner over all records would learn.
//
// In double precision (see Double) the answer does not depend on where the
// records were cut; else it does by as much as single precision gives up.
type Joined struct {
	Runner // over the own records
	x      Exchange
	can    Ability
	n      int
	least  float64 // what is smaller stays here; 0: nothing does
	closed bool    // nothing leaves but by Release

	mu    sync.Mutex // one round at a time
	chain chain
	ended error // why this place asks for no more; nil while it may
}

// Exchange adds up what places hold, in rounds: all of them give theirs, and
// each gets the same total, by bits. A place that is out of step is an error at
// all of them that names it.
type Exchange interface {
	// Places returns the number of this place and how many there are.
	Places() (place, places int)
	// Known returns the total of a round that was added up before, in an earlier
	// run of the same fit: the records need not be scanned again.
	Known(r Round) (total []float64, known bool, err error)
	// Add gives the numbers of this place and waits for the total.
	Add(ctx context.Context, r Round, x []float64) ([]float64, error)
	// Secret returns numbers that this place alone knows, for its numbers x of a
	// round: the same for the same, whenever they are asked for.
	Secret(r Round, x []float64) ([32]byte, error)
	// Leave says that this place asks for no more; err is why, nil where it is
	// done. The other places end with that error.
	Leave(err error)
}

// Join returns the runner of one of the places; local holds its records, and
// study stands for all that must be alike at every place before the first
// round: the model, its settings, the vocabulary. It takes one round, in which
// the places tell how many records they have.
func Join(ctx context.Context, local Runner, x Exchange, study string) (*Joined, error) {
	j, err := newJoined(local, x, study)
	if err != nil {
		return nil, err
	}
	can := local.Can()
	counts := make([]float64, j.can.Places+1)
	counts[j.can.Place] = float64(can.Own)
	if !can.Binary {
		counts[j.can.Places] = 1
	}
	total, err := j.round(ctx, fmt.Sprintf("records of %d features", local.Dim()), nil, len(counts),
		func() ([]float64, error) { return counts, nil })
	if err != nil {
		return nil, err
	}
	j.n, j.can.First = 0, 0
	for place, n := range total[:j.can.Places] {
		j.n += int(n)
		if place < j.can.Place {
			j.can.First += int(n)
		}
	}
	j.can.Binary = total[j.can.Places] == 0
	return j, nil
}

// Unknown is the number of records where nobody may know it: as many as there could be.
const Unknown = 1 << 30

func newJoined(local Runner, x Exchange, study string) (*Joined, error) {
	can := local.Can()
	if can.Places > 1 {
		return nil, errors.New("pass: the records of a place are at several places themselves")
	}
	j := &Joined{Runner: local, x: x, chain: newChain(study), can: can, n: can.Own}
	j.can.Place, j.can.Places = x.Places()
	j.can.Exact, j.can.Rows = false, nil
	return j, nil
}

// JoinPrivately is Join where nothing may leave a place without noise, not even how
// many records it has: sums go by Can().Release alone, and Run and Total refuse. Len
// is Unknown, and no number of records.
func JoinPrivately(local Runner, x Exchange, study string) (*Joined, error) {
	j, err := newJoined(local, x, study)
	if err != nil {
		return nil, err
	}
	j.n, j.closed, j.can.Release = Unknown, true, j.release
	return j, nil
}

// release is Ability.Release.
func (j *Joined) release(ctx context.Context, name string, s Sum, noise func(x []float64, seed [32]byte)) ([]float64, error) {
	made := given([]Sum{s})
	return j.exchange(ctx, name, made, s.Len(), func(r Round) ([]float64, error) {
		states, err := j.Runner.Run(ctx, s)
		if err != nil {
			return nil, err
		}
		seed, err := j.x.Secret(r, states[0])
		if err == nil {
			noise(states[0], seed)
		}
		return states[0], err
	})
}

// Omit makes this place keep back what is smaller than least, of every sum and
// total from now on: cells of a few people, where others can read what it gives.
// What is learned is then no longer that of one runner. 0 keeps back nothing.
func (j *Joined) Omit(least float64) { j.least = least }

// omitted leaves out small numbers, of both signs where they are sums of values.
// Numbers below zero that are no such sums do not count people (see counted).
func (j *Joined) omitted(x []float64, signed bool) []float64 {
	if j.least <= 0 {
		return x
	}
	out := make([]float64, len(x))
	for i, v := range x {
		if v >= j.least || v <= -j.least || v < 0 && !signed {
			out[i] = v
		}
	}
	return out
}

// Len implements Runner.
func (j *Joined) Len() int { return j.n }

// Can implements Runner.
func (j *Joined) Can() Ability { return j.can }

// Run implements Runner.
func (j *Joined) Run(ctx context.Context, sums ...Sum) ([][]float64, error) {
	if len(sums) == 0 {
		return nil, ctx.Err()
	}
	return j.added(ctx, sums, nil, func() ([][]float64, error) { return j.Runner.Run(ctx, sums...) })
}

// Own implements Runner; nothing is exchanged where nothing is summed up.
func (j *Joined) Own(ctx context.Context, visit func(Block) error, sums ...Sum) ([][]float64, error) {
	show := func() ([][]float64, error) {
		states, err := j.Runner.Own(ctx, visit)
		if err != nil {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.end(err)
		}
		return states, err
	}
	if len(sums) == 0 {
		return show()
	}
	shown := func() error {
		_, err := show()
		return err
	}
	return j.added(ctx, sums, shown, func() ([][]float64, error) { return j.Runner.Own(ctx, visit, sums...) })
}

// end ends the part of this place: what it was asked for could not be had, and whoever
// asks for more, because something else may do instead, would be out of step with the others.
func (j *Joined) end(err error) {
	j.ended = err
	j.x.Leave(err)
}

// Total implements Runner.
func (j *Joined) Total(ctx context.Context, x []float64) ([]float64, error) {
	return j.round(ctx, fmt.Sprintf("%s of %d", totalName(ctx), len(x)), nil, len(x), func() ([]float64, error) { return j.omitted(x, false), nil })
}

// Named returns a context in which totals have that name, one word, in the rounds of
// places: it tells people what they are.
func Named(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, named{}, name)
}

type named struct{}

func totalName(ctx context.Context) string {
	if name, ok := ctx.Value(named{}).(string); ok {
		return name
	}
	return "a total"
}

// added adds up the states of all places. Where the total is known the records
// are only shown, by shown, or not looked at.
func (j *Joined) added(ctx context.Context, sums []Sum, shown func() error, own func() ([][]float64, error)) ([][]float64, error) {
	all, scanned := together(sums), false
	made := given(sums) // before the scan: sums may fill tables in it
	total, err := j.round(ctx, all.name(), made, all.Len(), func() ([]float64, error) {
		scanned = true
		states, err := own()
		flat := make([]float64, 0, all.Len())
		for _, s := range states {
			flat = append(flat, s...)
		}
		return j.omitted(flat, true), err
	})
	if err == nil && !scanned && shown != nil {
		err = shown()
	}
	if err != nil {
		return nil, err
	}
	return all.split(total), nil
}

// round exchanges n numbers, with one more that says that this place is well.
func (j *Joined) round(ctx context.Context, name string, made []byte, n int, own func() ([]float64, error)) ([]float64, error) {
	if j.closed {
		return nil, fmt.Errorf("pass: %s would leave this place without noise", name)
	}
	return j.exchange(ctx, name, made, n, func(Round) ([]float64, error) { return own() })
}

func (j *Joined) exchange(ctx context.Context, name string, made []byte, n int, own func(Round) ([]float64, error)) ([]float64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ended != nil {
		return nil, j.ended
	}
	total, err := j.exchangeOnce(ctx, name, made, n, own)
	if err != nil {
		j.end(err)
		return nil, err
	}
	j.chain.add(total)
	return total[:n:n], nil
}

// exchangeOnce exchanges the numbers of the next round.
func (j *Joined) exchangeOnce(ctx context.Context, name string, made []byte, n int, own func(Round) ([]float64, error)) ([]float64, error) {
	r := j.chain.next(name, made)
	total, known, err := j.x.Known(r)
	if err == nil && !known {
		var x []float64
		if x, err = own(r); err == nil {
			total, err = j.x.Add(ctx, r, append(x[:len(x):len(x)], 1))
		}
	}
	if err == nil && (len(total) != n+1 || total[n] != float64(j.can.Places)) {
		err = fmt.Errorf("pass: round %d, %s: not all of %d places are in the total", r.Number, r.Name, j.can.Places)
	}
	return total, err
}
