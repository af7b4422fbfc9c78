// Package privacy asks what differential privacy costs: groups of presences learned
// with noise beside those without, on the same records.
//
// Command: go run ./experiments privacy
package privacy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
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

// Cell is what a number of people, an ε and a number of sites gave.
type Cell struct {
	Records int
	Epsilon float64
	Sites   int
	Draws   int
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
	a, err := assign.All(ctx, fam, m, run, p.set.Rows.N())
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
// number of sites.
func Measure(ctx context.Context, n, populations, times int, epsilons []float64, sites []int) ([]Cell, error) {
	cells := map[[2]int]*Cell{}
	for _, seed := range seeds(populations) {
		p, err := population(ctx, seed, n)
		if err != nil {
			return nil, err
		}
		for i, e := range epsilons {
			for j, s := range sites {
				c := cells[[2]int{i, j}]
				if c == nil {
					c = &Cell{Records: n, Epsilon: e, Sites: s}
					cells[[2]int{i, j}] = c
				}
				for t := range times {
					if err := c.draw(ctx, p, rand.NewPCG(seed, uint64(1000*i+100*j+t))); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	var out []Cell
	for i := range epsilons {
		for j := range sites {
			c := cells[[2]int{i, j}]
			c.Loss /= float64(c.Draws)
			c.Nats /= float64(c.Draws)
			out = append(out, *c)
		}
	}
	return out, nil
}

// draw fits once with noise; where nothing can be learned all is lost.
func (c *Cell) draw(ctx context.Context, p *noNoise, noise rand.Source) error {
	c.Draws++
	r, err := private.Fit(ctx, bernoulli.New(bernoulli.Options{}), pass.NewLocal(p.set.Rows, 0), private.Settings{
		Groups: Groups, Epsilon: c.Epsilon, Sites: c.Sites, Seed: 1, Trust: true, Noise: noise,
	})
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
	lab.Heading(w, "Differential privacy: what is lost of the agreement with the truth (ARI) and of the log-likelihood a record, beside the fit without noise on the same people. "+
		"%d codes, %d groups, %d codes a person of which 10 count; δ = 1e-6; 10 draws a cell (5 populations). Ten sites: each adds noise of its own; a secure sum is as one site.", Features, Groups, codes)
	t := lab.NewTable("records", "ε", "sites", "loss of ARI", "worst", "nats a record", "refused", "worst that passed")
	for _, n := range sizes {
		cells, err := Measure(ctx, n, populations, 2, []float64{.5, 1, 3, 5}, []int{1, 10})
		if err != nil {
			return err
		}
		for _, c := range cells {
			t.Add(fmt.Sprint(c.Records), fmt.Sprint(c.Epsilon), fmt.Sprint(c.Sites), fmt.Sprintf("%.3f", c.Loss), fmt.Sprintf("%.3f", c.Worst),
				fmt.Sprintf("%.3f", c.Nats), fmt.Sprintf("%d of %d", c.Refused, c.Draws), fmt.Sprintf("%.3f", c.Passed))
		}
	}
	t.Write(w)
	return nil
}
