package verdict

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/tree"
)

// Case is one draw of a law, and what was claimed of it.
type Case struct {
	Law  Law
	N    int
	Seed uint64

	Claim   int
	Range   [2]int
	Sure    bool
	Why     string
	ARI     float64 // of the groups with the truth
	Given   float64 // the same, of a flat fit that is given the number
	Before  int     // groups of the tree that stops by its own evidence; 0: not measured
	BIC     int     // groups of the flat fit with the least BIC
	Alike   bool    // where it is sure: a second sample claims the same, and both place a third alike
	Seconds float64 // wall time of the whole fit on one core

	rival bool
	walk  *Walk // of sequences
}

func (c Case) inside() bool { return c.Range[0] <= c.Law.Groups && c.Law.Groups <= c.Range[1] }

// part returns some of the records of a draw.
func (d Draw) part(lo, hi int) Draw {
	out := d
	out.Labels = d.Labels[lo:hi]
	if d.Rows == nil {
		out.X = d.X[lo:hi]
		return out
	}
	rows := d.Rows.Slice(lo, hi)
	out.Rows = &rows
	return out
}

// measure draws three samples, judges the first, and the second where that is
// sure.
func (c *Case) measure(ctx context.Context) error {
	all := c.Law.Draw(c.Seed, 3*c.N)
	data, out, err := c.first(ctx, all.part(0, c.N))
	if err != nil {
		return err
	}
	if c.Sure {
		if err := c.third(ctx, all, out); err != nil {
			return err
		}
	}
	if !c.rival {
		return nil
	}
	if c.Before, err = before(ctx, data); err != nil {
		return err
	}
	c.BIC, err = leastBIC(ctx, data)
	return err
}

// judge draws one sample and judges it.
func (c *Case) judge(ctx context.Context) error {
	if c.walk != nil {
		return c.judgeWalk(ctx)
	}
	_, _, err := c.first(ctx, c.Law.Draw(c.Seed, c.N))
	return err
}

// judgeWalk draws sequences and judges them. Nobody tells the number.
func (c *Case) judgeWalk(ctx context.Context) error {
	data, truth := c.walk.Draw(c.Seed, c.N).Data(0, c.N)
	begin := time.Now()
	out, err := fit.Tree(ctx, data, fit.Settings{Seed: 1, Workers: 1})
	if err != nil {
		return err
	}
	v := out.Verdict
	c.Seconds, c.Claim, c.Range, c.Sure, c.Why = time.Since(begin).Seconds(), v.Groups, v.Range, v.Sure, v.Continuum
	c.Given = math.NaN()
	c.ARI, err = lab.ARI(out.Group, truth)
	return err
}

// first judges a sample, and places it with the number given.
func (c *Case) first(ctx context.Context, d Draw) (fit.Training, *fit.Outcome, error) {
	data, _ := d.Data()
	begin := time.Now()
	out, err := fit.Tree(ctx, data, fit.Settings{Seed: 1, Workers: 1})
	if err != nil {
		return data, nil, err
	}
	c.Seconds = time.Since(begin).Seconds()
	v := out.Verdict
	c.Claim, c.Range, c.Sure, c.Why = v.Groups, v.Range, v.Sure, v.Continuum
	if c.ARI, err = lab.ARI(out.Group, d.Labels); err != nil {
		return data, out, err
	}
	c.Given = 1
	if c.Law.Groups > 1 {
		c.Given, err = given(ctx, data, d.Labels, c.Law.Groups)
	}
	return data, out, err
}

// given is the ARI of a flat fit of the right number of groups.
func given(ctx context.Context, data fit.Training, labels []int, k int) (float64, error) {
	out, err := fit.Flat(ctx, data, fit.Settings{K: k, Seed: 1, Workers: 1})
	if errors.Is(err, fit.ErrTooLittle) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return lab.ARI(out.Group, labels)
}

// third judges a second sample and places a third by both.
func (c *Case) third(ctx context.Context, all Draw, one *fit.Outcome) error {
	second, _ := all.part(c.N, 2*c.N).Data()
	other, err := fit.Tree(ctx, second, fit.Settings{Seed: 1, Workers: 1})
	if err != nil || other.K() != one.K() {
		return err
	}
	third, _ := all.part(2*c.N, 3*c.N).Data()
	var labels [2][]int
	for i, o := range []*fit.Outcome{one, other} {
		f, err := o.Model.Spec.Family(o.Model.Vocab)
		if err != nil {
			return err
		}
		a, err := assign.All(ctx, f, o.Model.Params, third.Run)
		if err != nil {
			return err
		}
		labels[i] = lab.Ints(a.Group)
	}
	ari, err := agree.ARI(labels[0], labels[1])
	c.Alike = ari >= alike
	return err
}

// before is the number of groups of the tree that stops by its own evidence.
func before(ctx context.Context, data fit.Training) (int, error) {
	spec := fit.Auto(data, true)
	f, err := spec.Family(data.Vocab)
	if err != nil {
		return 0, err
	}
	g, err := tree.Grow(ctx, data.Run, tree.Settings{Spec: spec, Family: f, Vocab: data.Vocab, Seed: 1, Workers: 1})
	if err != nil {
		return 0, err
	}
	return len(g.Tree.Leaf()), nil
}

// leastBIC is the number of groups of the flat path with the least BIC; it ends
// when two numbers in a row are worse.
func leastBIC(ctx context.Context, data fit.Training) (int, error) {
	const most = 20
	path, err := fit.NewPath(ctx, data, fit.Settings{Seed: 1, Workers: 1}, most)
	if err != nil {
		return 0, err
	}
	best, least, worse := 0, 0.0, 0
	for k := 1; k <= most && worse < 2; k++ {
		f, err := path.At(ctx, k)
		if errors.Is(err, fit.ErrTooLittle) {
			break
		}
		if err != nil {
			return 0, err
		}
		info, err := evaluate.Likelihood(ctx, path.Family(), f.Params, data.Run)
		if err != nil {
			return 0, err
		}
		if best == 0 || info.BIC < least {
			best, least, worse = k, info.BIC, 0
		} else {
			worse++
		}
	}
	return best, nil
}
