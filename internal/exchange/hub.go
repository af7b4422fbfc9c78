package exchange

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"

	"github.com/moiety-go/moiety/pass"
)

// Hub joins sites that run in one process.
type Hub struct {
	names []string
	mu    sync.Mutex
	turn  *turn
	left  error // why a site left, or that one is done
	// Seed, where it is set, is what the secrets of sites are made of, for tests and
	// experiments alone; else they come from the system's randomness.
	Seed []byte
}

// NewHub returns a hub for the named sites.
func NewHub(names ...string) *Hub {
	return &Hub{names: names, turn: newTurn(len(names))}
}

// Site returns the exchange of a site, by its number.
func (r *Hub) Site(i int) pass.Exchange { return &site{r, i} }

// turn is one round under way.
type turn struct {
	given [][]Fixed
	round []pass.Round
	wait  int
	total []float64
	err   error
	done  chan struct{}
}

func newTurn(sites int) *turn {
	return &turn{given: make([][]Fixed, sites), round: make([]pass.Round, sites), wait: sites, done: make(chan struct{})}
}

type site struct {
	hub *Hub
	i   int
}

// Places implements pass.Exchange.
func (s *site) Places() (place, places int) { return s.i, len(s.hub.names) }

// ErrDone says that a site waits for one that is done.
var ErrDone = errors.New("it asks for no more sums")

// Known implements pass.Exchange: there is no earlier run.
func (s *site) Known(pass.Round) ([]float64, bool, error) { return nil, false, nil }

// Add implements pass.Exchange.
func (s *site) Add(ctx context.Context, round pass.Round, x []float64) ([]float64, error) {
	given, err := fixed(x)
	if err != nil {
		return nil, err
	}
	r := s.hub
	r.mu.Lock()
	if r.left != nil {
		r.mu.Unlock()
		return nil, r.left
	}
	t := r.turn
	t.given[s.i], t.round[s.i] = given, round
	if t.wait--; t.wait == 0 {
		t.total, t.err = r.sum(t)
		r.turn = newTurn(len(r.names))
		close(t.done)
	}
	r.mu.Unlock()
	select {
	case <-t.done:
		return append([]float64(nil), t.total...), t.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// sum adds up what all sites gave, if they are in step.
func (r *Hub) sum(t *turn) ([]float64, error) {
	var total []Fixed
	for i, given := range t.given {
		var err error
		if total, err = addTo(total, given, t.round[0], t.round[i], r.names[i], r.names[0]); err != nil {
			return nil, err
		}
	}
	return floats(total), nil
}

// addTo adds what a site gave to the total of others, which may be empty.
func addTo(total, given []Fixed, want, round pass.Round, name, other string) ([]Fixed, error) {
	if why := round.Differs(want); why != "" {
		return nil, fmt.Errorf("exchange: %s is out of step with %s: %s", name, other, why)
	}
	if total == nil {
		return append([]Fixed(nil), given...), nil
	}
	if len(given) != len(total) {
		return nil, fmt.Errorf("exchange: %s gives %d numbers where %s gives %d", name, len(given), other, len(total))
	}
	for j, v := range given {
		total[j] = total[j].add(v)
	}
	return total, nil
}

// Secret implements pass.Exchange.
func (s *site) Secret(r pass.Round, _ []float64) (out [32]byte, err error) {
	if s.hub.Seed == nil {
		_, err = rand.Read(out[:])
		return out, err
	}
	return sha256.Sum256(fmt.Appendf(nil, "%x %d %d %s", s.hub.Seed, s.i, r.Number, r.Name)), nil
}

// Leave implements pass.Exchange.
func (s *site) Leave(err error) {
	r := s.hub
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left != nil {
		return
	}
	waiting := r.turn.wait < len(r.names)
	if err == nil {
		err = ErrDone
	}
	r.left = fmt.Errorf("exchange: %s ended: %w", r.names[s.i], err)
	if waiting {
		r.turn.err = r.left
		close(r.turn.done)
		r.turn = newTurn(len(r.names))
	}
}
