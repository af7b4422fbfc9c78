package lab

import (
	"context"
	"errors"
	"fmt"

	"github.com/moiety-go/moiety/internal/fit"
)

// Contestant is one method of a comparison: it groups the records of a seed's
// data set.
type Contestant[D any] struct {
	Name      string
	Published string // what a paper prints; "" where it says nothing
	Reference string // what runs of the papers' code, or of other reference code, reach; "" where there is none
	Group     func(ctx context.Context, data D) ([]int, error)
}

// Contest holds the scores and CPU seconds of all methods, seed by seed.
type Contest struct {
	Names   []string
	Printed []string // in a paper
	Note    []string // of reference code
	Score   []Series
	Seconds []Series
	Refused []int // data sets that a method could not answer; they score 0
}

// Meet lets all methods answer the same data sets, one a seed, and scores
// them: a paired comparison. A method that finds too little in the data scores
// 0 there.
func Meet[D any](ctx context.Context, seeds []uint64, draw func(seed uint64) D, all []Contestant[D], score func(data D, labels []int) (float64, error)) (*Contest, error) {
	c := &Contest{Score: make([]Series, len(all)), Seconds: make([]Series, len(all)), Refused: make([]int, len(all))}
	for _, m := range all {
		c.Names, c.Printed, c.Note = append(c.Names, m.Name), append(c.Printed, orDash(m.Published)), append(c.Note, orDash(m.Reference))
	}
	for _, seed := range seeds {
		data := draw(seed)
		for i, m := range all {
			var labels []int
			seconds, err := Timed(func() (err error) {
				labels, err = m.Group(ctx, data)
				return err
			})
			value := 0.0
			switch {
			case TooLittle(err):
				c.Refused[i]++
			case err != nil:
				return nil, fmt.Errorf("%s, seed %d: %w", m.Name, seed, err)
			default:
				if value, err = score(data, labels); err != nil {
					return nil, fmt.Errorf("%s, seed %d: %w", m.Name, seed, err)
				}
			}
			c.Score[i], c.Seconds[i] = append(c.Score[i], value), append(c.Seconds[i], seconds)
		}
	}
	return c, nil
}

// Of returns the scores of the method of that name.
func (c *Contest) Of(name string) Series {
	for i, n := range c.Names {
		if n == name {
			return c.Score[i]
		}
	}
	return nil
}

// Table lists the methods: score, how often the first is ahead, CPU seconds.
func (c *Contest) Table(head string) *Table {
	t := NewTable(head, "ARI", "first ahead", "CPU", "reference code", "published")
	for i, n := range c.Names {
		ahead := "–"
		if i > 0 {
			ahead = fmt.Sprintf("%d of %d", c.Score[0].Wins(c.Score[i]), len(c.Score[0]))
		}
		t.Add(n, c.Score[i], ahead, Seconds(c.Seconds[i].Mean()), c.Note[i], c.Printed[i])
	}
	return t
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// TooLittle reports that a method could not answer: the data tell too little.
func TooLittle(err error) bool { return errors.Is(err, fit.ErrTooLittle) }
