package choose

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/family"

	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/warn"
)

// Advice is the number of groups to ask for.
type Advice struct {
	K int `json:"k"`
	// Low and High bound what can be defended.
	Low    int    `json:"low"`
	High   int    `json:"high"`
	Reason string `json:"reason"` // one plain sentence
	// Confidence is "clear", "fair" or "weak".
	Confidence string `json:"confidence"`
}

// Words of Confidence.
const (
	Clear = "clear"
	Fair  = "fair"
	Weak  = "weak"
)

// finish compares the numbers that were tried and gives the advice.
func (s *search) finish(ctx context.Context) (*Curve, error) {
	s.compareHeldOut()
	s.impossible()
	c := s.curve
	var err error
	if c.Spectrum, err = spectrum(ctx, s.data, s.path.Family().Info().Is(family.WordShare), s.o.Max, s.o.Seed); err != nil {
		return nil, err
	}
	if err := s.describe(ctx); err != nil {
		return nil, err
	}
	c.Picks = s.picks()
	if c.Spectrum != nil {
		c.Picks.Edge = 1 + c.Spectrum.Above
	}
	for _, k := range s.sizes() {
		c.Points = append(c.Points, s.tried[k].point)
	}
	s.limits()
	s.identified()
	c.advise()
	return c, nil
}

// picks returns the choice of each rule over the numbers tried so far.
func (s *search) picks() Picks {
	s.compareHeldOut()
	var p Picks
	best := func(value func(Point) (float64, bool)) int {
		k, least := 0, math.Inf(1)
		for _, i := range s.sizes() {
			if v, ok := value(s.tried[i].point); ok && v < least && !s.tried[i].point.Unidentified {
				k, least = i, v
			}
		}
		return k
	}
	p.BIC = best(func(q Point) (float64, bool) { return q.BIC, true })
	p.AIC = best(func(q Point) (float64, bool) { return q.AIC, true })
	p.HeldOut = best(func(q Point) (float64, bool) { return -q.HeldOut, q.HeldOut != 0 })
	p.Length = best(func(q Point) (float64, bool) { return q.Length, q.Length != 0 })
	return p
}

// limits says where the range, and not the evidence, ended the curve.
func (s *search) limits() {
	if s.last > 0 && s.last < s.o.Max {
		s.warn(warn.New(warn.Note, "rank", "",
			"More than %d %s were not tried: the %s cannot tell them apart.", s.last, s.curve.Called.Groups, s.curve.Called.Records))
	}
	largest := s.curve.Points[len(s.curve.Points)-1].K
	if s.curve.Picks.BIC == largest && largest == s.o.Max && len(s.curve.Points) > 1 {
		s.warn(warn.New(warn.Caution, "at-the-limit", "Try larger numbers.",
			"The curve was still falling at %d %s, the largest number tried.", largest, s.curve.Called.Groups))
	}
}

// identified says which numbers have more parameters than the table has cells.
func (s *search) identified() {
	for _, p := range s.curve.Points {
		if p.Unidentified {
			s.warn(warn.New(warn.Caution, "not-identified", "Ask for fewer groups.",
				"%d groups and more are not advised: a model of %d groups has %d parameters, and the table of all answers only %.0f free cells, so that many models describe the records equally well.",
				p.K, p.K, p.Parameters, freeCells(s.path.Family(), s.data.Run.Dim())))
			return
		}
	}
}

func (s *search) warn(w warn.Warning) { s.curve.Warnings = append(s.curve.Warnings, w) }

// advise takes BIC's number. Patterns that stand out from chance raise it where
// records held out do not contradict; the number that describes those best
// is the upper end of what can be defended (algorithms: defaults).
func (c *Curve) advise() {
	p := c.Picks
	a := Advice{K: p.BIC}
	if raised, ok := c.At(p.Edge); ok && p.Edge > p.BIC && !raised.Unidentified && c.noWorseHeldOut(raised) {
		a.K = p.Edge
	}
	a.Low, a.High = min(a.K, p.BIC), max(a.K, p.HeldOut)
	if p.HeldOut > 0 && p.HeldOut < a.Low {
		a.Low = p.HeldOut
	}
	a.Confidence = c.confidence(a)
	a.Reason = c.reason(a)
	c.Advice = a
	if v := c.Verdict; v != nil {
		if _, tried := c.At(v.Groups); tried {
			c.Advice = judged(v)
		}
		for _, p := range c.Points { // what is not identified cannot be defended
			if p.Unidentified && c.Advice.K < p.K && c.Advice.High >= p.K {
				c.Advice.High = p.K - 1
			}
		}
	}
}

// judged is the advice of a verdict.
func judged(v *verdict.Verdict) Advice {
	a := Advice{K: v.Groups, Low: v.Range[0], High: v.Range[1], Reason: v.Reason, Confidence: Fair}
	switch v.Light() {
	case "green":
		a.Confidence = Clear
	case "red":
		a.Confidence = Weak
	}
	if len(v.Against) > 0 {
		a.Reason += " " + v.Against[0].Text
	}
	return a
}

// noWorseHeldOut reports that the records held out are described at least as
// well by q as by BIC's number.
func (c *Curve) noWorseHeldOut(q Point) bool {
	bic, _ := c.At(c.Picks.BIC)
	return c.Picks.HeldOut > 0 && q.HeldOut >= bic.HeldOut
}

const (
	// strongMargin is the difference of BIC that counts as very strong
	// evidence (Kass and Raftery 1995), slightMargin one that is worth no more
	// than a mention.
	strongMargin, slightMargin = 10, 2
	// farBehind is the number of standard errors by which records held out
	// must prefer another number to count as a contradiction.
	farBehind = 2
)

// confidence is weak where the range ended the curve, where BIC hardly
// prefers its number, or where the rules are far apart; clear where BIC strongly
// prefers it and the records held out do not object.
func (c *Curve) confidence(a Advice) string {
	if len(c.Points) == 1 {
		return Weak
	}
	margin := math.Inf(1)
	at, _ := c.At(a.K)
	for _, q := range c.Points {
		if q.K != a.K {
			margin = math.Min(margin, q.BIC-at.BIC)
		}
	}
	objects := at.Behind > farBehind*at.BehindError && at.Behind > 0
	switch {
	case c.warned("at-the-limit") || margin < slightMargin || a.High > 2*max(a.Low, 1):
		return Weak
	case margin >= strongMargin && c.Picks.HeldOut > 0 && !objects:
		return Clear
	}
	return Fair
}

func (c *Curve) warned(code string) bool {
	for _, w := range c.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}

// reason says why in one sentence.
func (c *Curve) reason(a Advice) string {
	p := c.Picks
	switch {
	case len(c.Points) == 1:
		return fmt.Sprintf("Only %s could be tried.", c.groups(c.Points[0].K))
	case a.K == 1 && p.HeldOut <= 1:
		return fmt.Sprintf("The %s show no %s that can be told apart: one %s describes them best.", c.Called.Records, c.Called.Groups, c.Called.Group)
	case a.K > p.BIC:
		return fmt.Sprintf("%s, because so many common patterns stand out from chance and %s kept aside agree; for the number of parameters alone %d would do.", c.words(a.K), c.Called.Records, p.BIC)
	case p.HeldOut == 0:
		return fmt.Sprintf("%s: more would add more parameters than they explain.", c.words(a.K))
	case p.HeldOut == a.K:
		return fmt.Sprintf("%s: more would add more parameters than they explain, and %s kept aside agree.", c.words(a.K), c.Called.Records)
	case p.HeldOut > a.K:
		return fmt.Sprintf("%s: more would add more parameters than they explain, though %s kept aside are described slightly better by up to %d.", c.words(a.K), c.Called.Records, p.HeldOut)
	default:
		return fmt.Sprintf("%s: more would add more parameters than they explain, though %s kept aside are described no better by more than %d.", c.words(a.K), c.Called.Records, p.HeldOut)
	}
}

// words begins a sentence with a number of groups.
func (c *Curve) words(k int) string {
	if k == 1 {
		return "One " + c.Called.Group
	}
	return c.groups(k)
}

func (c *Curve) groups(k int) string {
	if k == 1 {
		return "one " + c.Called.Group
	}
	return fmt.Sprintf("%d %s", k, c.Called.Groups)
}
