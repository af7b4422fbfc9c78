package hmm

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

var _ family.Coursed = Family{}

// Walks implements family.Coursed: Baum and Welch's expectations of each
// sequence, by the one chain that all of them share.
func (f Family) Walks(p mixture.Params, b pass.Block, out []float64) error {
	k := p.K()
	size := k + k*k
	clear(out[:b.N()*size])
	scores := make([]float64, b.Rows.N()*k)
	c, err := f.prepare(p, b, scores)
	if err != nil {
		return err
	}
	return sequences(b, func(i, lo, hi int) {
		if lo < hi {
			g, walk := scores[lo*k:hi*k], out[i*size:][:size]
			c.forward(g)
			c.backward(g, walk[k:])
			copy(walk, g[:k])
		}
	})
}

// courses are the chains of all courses, with room for one sequence.
type courses struct {
	k      int
	chains []*chain
	prior  []float64 // logarithms of the shares
	post   []float64 // of the sequence at hand
	// Of every course, for the sequence at hand: first states and occupancy (k
	// each), moves (k×k); and the states of every step (T×k).
	walks [][]float64
	gamma [][]float64
}

func newCourses(p mixture.Params, c *mixture.Courses) *courses {
	k := p.K()
	out := &courses{k: k, post: make([]float64, c.K())}
	for j, share := range c.Share {
		out.chains = append(out.chains, &chain{k: k, initial: c.Start[j], to: c.Moves[j], beta: make([]float64, 2*k)})
		out.prior = append(out.prior, math.Log(math.Max(share, leastShare)))
		out.walks = append(out.walks, make([]float64, 2*k+k*k))
	}
	out.gamma = make([][]float64, c.K())
	return out
}

// meet fills post, and walks where they are wanted, and returns the
// log-likelihood of a sequence of these scores, which become densities: all courses
// show the same in a state.
func (c *courses) meet(scores []float64, walks bool) float64 {
	top := densities(scores, c.k)
	for j, chain := range c.chains {
		g := append(c.gamma[j][:0], scores...)
		c.gamma[j] = g
		c.post[j] = c.prior[j]
		if walks {
			clear(c.walks[j])
		}
		if len(g) == 0 {
			continue
		}
		c.post[j] += chain.follow(g)
		if !walks {
			continue
		}
		chain.backward(g, c.walks[j][2*c.k:])
		copy(c.walks[j], g[:c.k])
		for t := 0; t < len(g); t += c.k {
			floats.Add(c.walks[j][c.k:2*c.k], g[t:][:c.k])
		}
	}
	logp := floats.LogSumExp(c.post)
	for j, v := range c.post {
		c.post[j] = math.Exp(v - logp)
	}
	return top + logp
}

// states replaces the scores of the sequence at hand by the chances of its states,
// whatever its course; it follows meet.
func (c *courses) states(scores []float64) {
	clear(scores)
	for j, share := range c.post {
		floats.AddScaled(scores, share, c.gamma[j])
	}
}

// CoursePosterior implements family.Coursed.
func (f Family) CoursePosterior(p mixture.Params, of *mixture.Courses, b pass.Block, out []float64) error {
	k := p.K()
	scores := make([]float64, b.Rows.N()*k)
	if _, err := f.prepare(p, b, scores); err != nil {
		return err
	}
	c := newCourses(p, of)
	return sequences(b, func(i, lo, hi int) {
		c.meet(scores[lo*k:hi*k], false)
		copy(out[i*of.K():], c.post)
	})
}

// State of a courseStep: log-likelihood; then of every course the sequences
// expected there, and what courses.walks holds of them; then the emission's
// statistics, where they are wanted.
type courseStep struct {
	p     mixture.Params
	e     emitter
	of    *mixture.Courses
	shown bool
}

// coursePart is the number of numbers of a course in a state.
func coursePart(k int) int { return 1 + 2*k + k*k }

func (s courseStep) head() int { return 1 + s.of.K()*coursePart(s.p.K()) }

func (s courseStep) Len() int {
	if s.shown {
		return s.head() + s.e.size()
	}
	return s.head()
}

func (s courseStep) Add(state []float64, b pass.Block) error {
	return chunks(b, func(b pass.Block) error { return s.add(state, b) })
}

func (s courseStep) add(state []float64, b pass.Block) error {
	k := s.p.K()
	scores := make([]float64, b.Rows.N()*k)
	if err := s.e.scores(b, scores); err != nil {
		return err
	}
	c, size := newCourses(s.p, s.of), coursePart(k)
	err := sequences(b, func(_, lo, hi int) {
		state[0] += c.meet(scores[lo*k:hi*k], true)
		for j, share := range c.post {
			part := state[1+j*size:][:size]
			part[0] += share
			floats.AddScaled(part[1:], share, c.walks[j])
		}
		c.states(scores[lo*k : hi*k])
	})
	if err == nil && s.shown {
		s.e.gather(state[s.head():], b.Rows, scores)
	}
	return err
}

// CourseStep implements family.Coursed.
func (f Family) CourseStep(p mixture.Params, of *mixture.Courses, shown bool) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return courseStep{p, f.emitter(p), of, shown}, nil
}

// CourseMax implements family.Coursed. The prior is worth pseudo sequences of
// the chain that all share, in every row: a course that was never seen in a
// state leaves it as all sequences do.
func (f Family) CourseMax(state []float64, n int, p mixture.Params, pseudo float64) *mixture.Courses {
	k := p.K()
	size := coursePart(k)
	pooled, out := newChain(p), &mixture.Courses{}
	for j := range n {
		part := state[1+j*size:][:size]
		first, time, moves := part[1:][:k], part[1+k:][:k], part[1+2*k:][:k*k]
		to := make([]float64, k*k)
		for i := range k {
			copy(to[i*k:][:k], toward(moves[i*k:][:k], pooled.to[i*k:][:k], pseudo))
		}
		out.Share = append(out.Share, part[0]+pseudo)
		out.Start = append(out.Start, toward(first, pooled.initial, pseudo))
		out.Moves = append(out.Moves, to)
		out.Time = append(out.Time, toward(time, p.Weights, 0))
	}
	normalise(out.Share)
	return out
}

// CourseShown implements family.Coursed: the step of Baum and Welch, with the
// expectations of all courses added up.
func (f Family) CourseShown(state []float64, n int, p mixture.Params, pseudo float64) mixture.Params {
	size := coursePart(p.K())
	whole := make([]float64, heads+size-1)
	for j := range n {
		floats.Add(whole[heads:], state[1+j*size:][1:size])
	}
	first, occupancy, moves, _ := parts(whole, p.K())
	out := f.emitter(p).maximise(state[1+n*size:], p, pseudo)
	return chained(out, first, occupancy, moves, pseudo)
}

// toward returns the shares of counts and of pseudo times the prior, which is the
// answer where there is neither.
func toward(counts, prior []float64, pseudo float64) []float64 {
	total := floats.Sum(counts) + pseudo
	if total <= 0 {
		return append([]float64(nil), prior...)
	}
	out := make([]float64, len(counts))
	for j, n := range counts {
		out[j] = (n + pseudo*prior[j]) / total
	}
	return out
}
