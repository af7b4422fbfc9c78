// Package privacy asks what differential privacy costs: groups of presences learned
// with noise beside those without, on the same records.
//
// Command: go run -C experiments . privacy
package privacy

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/private"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
)

// The population: d codes, k groups, 8 codes a person on average, of which 10 count.
const (
	Features = 100
	Groups   = 5
	codes    = 8
)

// Where says where people are, and who adds noise.
type Where int

// Places of people: one site; ten uneven sites, one of them empty, that add one
// noise together in a secure sum, or each noise of its own.
const (
	OneSite Where = iota
	Secure
	Own
)

func (w Where) String() string {
	return [...]string{"1", "10, one noise in a secure sum", "10, each its own noise"}[w]
}

// shares of ten sites in a hundred people.
var shares = []int{35, 20, 15, 10, 8, 5, 4, 2, 1, 0}

// Cell is what a number of people, an ε and a place gave.
type Cell struct {
	Records int
	Epsilon float64 // infinite without noise
	Where   Where
	Draws   int
	ARI     float64 // to the truth, mean of the draws
	Log     float64 // likelihood a record, mean
	Loss    float64 // of ARI to the truth, mean of the draws
	Worst   float64
	Nats    float64 // of log-likelihood a record, mean
	Refused int
	Passed  float64 // worst loss of those that are not refused
}

// noNoise is a population with the groups that are learned without noise.
type noNoise struct {
	set synth.Set
	ari float64
	log float64
}

// population draws people of a seed and learns their groups without noise.
func population(ctx context.Context, seed uint64, n int) (*noNoise, error) {
	p := &noNoise{set: synth.Patients(seed, n, Features, Groups, codes)}
	out, err := lab.Flat(ctx, lab.Generated(p.set.Rows, record.Presence), model.Spec{Model: "bernoulli"}, Groups, "auto", "em")
	if err != nil {
		return nil, err
	}
	p.ari, p.log, err = p.score(ctx, out.Model.Params)
	return p, err
}

// score returns agreement with the truth, and log-likelihood a record.
func (p *noNoise) score(ctx context.Context, m mixture.Params) (ari, log float64, err error) {
	fam, run := bernoulli.New(bernoulli.Options{}), pass.NewLocal(p.set.Rows, 0)
	a, err := assign.All(ctx, fam, m, run)
	if err != nil {
		return 0, 0, err
	}
	if ari, err = agree.ARI(a.Labels(), p.set.Labels); err != nil {
		return 0, 0, err
	}
	step, err := fam.EStep(m, true)
	if err != nil {
		return 0, 0, err
	}
	state, err := pass.RunOne(ctx, run, step)
	if err != nil {
		return 0, 0, err
	}
	return ari, state[0] / float64(p.set.Rows.N()), nil
}

// seeds are populations whose smallest group is at least one in twenty-five: smaller
// ones are behind the noise at any size that is measured here. The constants of the
// fit were chosen on others.
func seeds(n int) []uint64 {
	var out []uint64
	for s := uint64(7001); len(out) < n; s++ {
		if slices.Min(synth.Patients(s, 1, Features, Groups, codes).Truth.Weights) >= .04 {
			out = append(out, s)
		}
	}
	return out
}

// Measure fits n people of some populations, each so many times, for every ε and
// place; the first cell is that without noise.
func Measure(ctx context.Context, n, populations, times int, epsilons []float64, places []Where) ([]Cell, error) {
	cells := map[[2]int]*Cell{}
	none := Cell{Records: n, Epsilon: math.Inf(1)}
	for _, seed := range seeds(populations) {
		p, err := population(ctx, seed, n)
		if err != nil {
			return nil, err
		}
		none.Draws++
		none.ARI += p.ari
		none.Log += p.log
		for i, e := range epsilons {
			for j, s := range places {
				c := cells[[2]int{i, j}]
				if c == nil {
					c = &Cell{Records: n, Epsilon: e, Where: s}
					cells[[2]int{i, j}] = c
				}
				for t := range times {
					if err := c.draw(ctx, p, fmt.Sprint(seed, i, j, t)); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	out := []Cell{none.mean()}
	for i := range epsilons {
		for j := range places {
			out = append(out, cells[[2]int{i, j}].mean())
		}
	}
	return out, nil
}

// mean turns sums over draws into means.
func (c Cell) mean() Cell {
	for _, v := range []*float64{&c.ARI, &c.Log, &c.Loss, &c.Nats} {
		*v /= float64(c.Draws)
	}
	return c
}

// fit learns with noise where the people are; every site gets the same.
func (c *Cell) fit(ctx context.Context, p *noNoise, noise string) (*private.Result, error) {
	s := private.Settings{Groups: Groups, Epsilon: c.Epsilon, Seed: 1, Trust: true, Once: c.Where == Secure, Noise: rand.NewChaCha8(sha256.Sum256([]byte(noise)))}
	fam := bernoulli.New(bernoulli.Options{})
	if c.Where == OneSite {
		return private.Fit(ctx, fam, pass.NewLocal(p.set.Rows, 0), s)
	}
	names := make([]string, len(shares))
	for i := range names {
		names[i] = fmt.Sprint("site ", i)
	}
	hub, out, errs := exchange.NewHub(names...), make([]*private.Result, len(shares)), make([]error, len(shares))
	hub.Seed = []byte(noise)
	var sites sync.WaitGroup
	lo, n := 0, p.set.Rows.N()
	for i, share := range shares {
		rows := p.set.Rows.Slice(lo, lo+n*share/100)
		lo += n * share / 100
		sites.Go(func() {
			j, err := pass.JoinPrivately(pass.NewLocal(rows, 1), hub.Site(i), "privacy")
			if err == nil {
				out[i], err = private.Fit(ctx, fam, j, s)
			}
			errs[i] = err
		})
	}
	sites.Wait()
	return out[0], errs[0]
}

// draw fits once with noise; where nothing can be learned all is lost.
func (c *Cell) draw(ctx context.Context, p *noNoise, noise string) error {
	c.Draws++
	r, err := c.fit(ctx, p, noise)
	loss, nats := p.ari, 0.0
	switch {
	case errors.Is(err, private.ErrNoise):
		c.Refused++
	case err != nil:
		return err
	default:
		ari, log, err := p.score(ctx, r.Params)
		if err != nil {
			return err
		}
		loss, nats = p.ari-ari, p.log-log
		if r.Clear(Features) {
			c.Passed = max(c.Passed, loss)
		} else {
			c.Refused++
		}
	}
	c.ARI += p.ari - loss
	c.Log += p.log - nats
	c.Loss += loss
	c.Nats += nats
	c.Worst = max(c.Worst, loss)
	return nil
}

// Run prints the table.
func Run(ctx context.Context, w io.Writer, full bool) error {
	sizes, populations := []int{10000, 100000}, 5
	if full {
		sizes = append(sizes, 1000000)
	}
	lab.Heading(w, "Differential privacy: agreement with the truth (ARI) and log-likelihood a record, and what is lost of them beside the fit without noise (ε = ∞) on the same people. "+
		"%d codes, %d groups, %d codes a person of which 10 count; δ = 1e-6; 10 draws a cell (5 populations that no constant was chosen on). Ten sites are uneven, one of them empty, and join in this process.", Features, Groups, codes)
	t := lab.NewTable("people", "ε", "sites", "ARI", "loss of ARI", "worst", "log-likelihood", "nats lost", "refused", "worst that passed")
	for _, n := range sizes {
		cells, err := Measure(ctx, n, populations, 2, []float64{.5, 1, 3, 5}, []Where{OneSite, Secure, Own})
		if err != nil {
			return err
		}
		for _, c := range cells {
			row := []any{fmt.Sprint(c.Records), "∞", "any", fmt.Sprintf("%.3f", c.ARI), "", "", fmt.Sprintf("%.3f", c.Log), "", "", ""}
			if !math.IsInf(c.Epsilon, 1) {
				row[1], row[2], row[4], row[5], row[7] = fmt.Sprint(c.Epsilon), c.Where.String(), fmt.Sprintf("%.3f", c.Loss), fmt.Sprintf("%.3f", c.Worst), fmt.Sprintf("%.3f", c.Nats)
				row[8], row[9] = fmt.Sprintf("%d of %d", c.Refused, c.Draws), fmt.Sprintf("%.3f", c.Passed)
			}
			if c.Refused == c.Draws && c.Draws > 0 && !math.IsInf(c.Epsilon, 1) {
				row[9] = "none passed"
			}
			t.Add(row...)
		}
	}
	t.Write(w)
	return nil
}
