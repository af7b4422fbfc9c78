package study

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/run"
)

type readOptions = read.Options

// Step is what a site did in a round.
type Step struct {
	Sent  []Sent // now
	Done  bool   // the study needs no more of this site
	Round int    // rounds that are done
}

// Round does what this site can do: it takes the totals so far and sends its
// numbers of the next round. With wait it goes on until all rounds are done.
func (h *Home) Round(ctx context.Context, o run.Order, wait bool) (*Step, error) {
	o, err := h.order(o)
	if err != nil {
		return nil, err
	}
	key, err := exchange.OpenKey(h.path(keyFile))
	if err != nil {
		return nil, err
	}
	f, err := h.fetch(ctx, wait)
	if err != nil {
		return nil, err
	}
	before := len(h.log)
	x, err := exchange.NewLive(f, key, h, wait)
	if err != nil {
		return nil, err
	}
	m, err := o.Together(ctx, f, x)
	step := &Step{Sent: h.log[before:], Round: x.Rounds()}
	switch {
	case errors.Is(err, exchange.ErrCarry):
		return step, nil
	case err != nil:
		x.Leave(err) // the coordinator waits for no more
		return nil, err
	}
	step.Done = true
	return step, errors.Join(m.Close(), h.post.leave(ctx, h.Name))
}

// fetch returns the totals so far. Those that were fetched before are taken from
// the home: who could change the sites or earlier totals could ask a site for its
// numbers behind another mask.
func (h *Home) fetch(ctx context.Context, wait bool) (*exchange.File, error) {
	f, err := exchange.LoadTotals(h.path(totals))
	if errors.Is(err, fs.ErrNotExist) {
		f, err = h.head(ctx, wait)
	}
	if err != nil {
		return nil, err
	}
	for {
		data, err := h.post.total(ctx, len(f.Done)+1, false)
		if err != nil || data == nil {
			return f, err
		}
		if err := h.grow(f, data); err != nil {
			return nil, err
		}
	}
}

// head fetches the list of sites.
func (h *Home) head(ctx context.Context, wait bool) (*exchange.File, error) {
	data, err := h.post.total(ctx, 0, wait)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, fmt.Errorf("study: %w", errNotYet)
	}
	f, err := exchange.Read(data)
	if err != nil {
		return nil, err
	}
	if f.Number != h.Paper.Number || f.Open != h.Paper.Open() || len(f.Sites) != h.Paper.Sites || string(f.Study) != string(h.Paper.Settings) {
		return nil, errors.New("study: the list of sites is of another study")
	}
	first, err := h.told()
	if err == nil {
		err = f.Follow(first)
	}
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	return f, h.keep(0, data)
}

// told returns the first file of this site.
func (h *Home) told() (*exchange.File, error) {
	if len(h.log) == 0 {
		return nil, fmt.Errorf("%s lists no first file: join the study anew", h.path(logFile))
	}
	return exchange.Load(h.path(filepath.FromSlash(h.log[0].File)))
}

// keep keeps the total of a round.
func (h *Home) keep(n int, data []byte) error {
	return durable.WriteFile(durable.OS{}, filepath.Join(h.path(totals), exchange.TotalName(n)), data, secret)
}

func (h *Home) grow(f *exchange.File, data []byte) error {
	if err := f.Grow(data); err != nil {
		return fmt.Errorf("study: the total of round %d: %w", len(f.Done)+1, err)
	}
	return h.keep(len(f.Done), data)
}

// Next implements exchange.Carrier.
func (h *Home) Next(ctx context.Context, f *exchange.File) error {
	data, err := h.post.total(ctx, len(f.Done)+1, true)
	if err != nil {
		return err
	}
	return h.grow(f, data)
}

// Send implements exchange.Carrier: what is sent is kept and listed first. A round
// that was sent before is sent as it was: other numbers behind the same mask would
// show their difference.
func (h *Home) Send(ctx context.Context, p *exchange.Post) error {
	of := ""
	if !p.Failed {
		of = fingerprint(p.Round)
		if old, err := h.before(of); err != nil {
			return err
		} else if old != nil {
			return h.post.put(ctx, h.Name, old)
		}
	}
	data, err := p.Bytes()
	if err != nil {
		return err
	}
	s := Sent{Round: h.sums() + 1, Mode: p.Mode, What: run.Plainly(p.Round.Name), of: of}
	page := fmt.Sprintf("What leaves the house\n\n%s tells the others that it ended with an error, and not which.\n", h.Name)
	if p.Failed {
		s.What = "that this site ended with an error"
	} else {
		page = run.NewLeaving(p.Round, s.Round, p.Numbers(), p.Mode == exchange.Open, h.Paper.Sites, h.Name).Text()
	}
	if err := h.note(s, data, page); err != nil {
		return err
	}
	return h.post.put(ctx, h.Name, data)
}

// sums counts the rounds that were sent.
func (h *Home) sums() int {
	n := 0
	for _, s := range h.log {
		if s.of != "" {
			n++
		}
	}
	return n
}

// Close makes the run of this site when all rounds are done: the groups of the
// study, with the records of this site placed by them. Nothing is sent.
func (h *Home) Close(ctx context.Context, o run.Order) (*run.Made, error) {
	o, err := h.order(o)
	if err != nil {
		return nil, err
	}
	key, err := exchange.OpenKey(h.path(keyFile))
	if err != nil {
		return nil, err
	}
	f, err := exchange.LoadTotals(h.path(totals)) // nobody need be there any more
	if err != nil {
		return nil, fmt.Errorf("study: %w", errNotYet)
	}
	if more, err := h.fetch(ctx, false); err == nil {
		f = more
	}
	x, err := exchange.NewHand(f, key)
	if err != nil {
		return nil, err
	}
	m, err := o.Together(ctx, f, x)
	if errors.Is(err, exchange.ErrCarry) {
		return nil, fmt.Errorf("study: not all rounds are done: %d are; go on with \"moiety study round %s\"", len(f.Done), h.Dir)
	}
	return m, err
}
