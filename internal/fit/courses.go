package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// Bounds of the search for courses.
const (
	courseSample = 20000 // sequences that starts are found on
	courseSteps  = 500   // of EM at most
	courseTol    = 1e-8  // gain of the log-likelihood, relative, that ends it
	courseRough  = 1e-6  // that ends it where it is a start, or a number of courses nobody asked for
)

// hasCourses refuses courses where they have no meaning.
func (s Settings) hasCourses(data Training) error {
	switch {
	case s.Courses == 0:
		return nil
	case !data.Sequences:
		return fmt.Errorf("fit: courses are kinds of sequences, and these records have no steps in time: leave ‹courses› out, or read them with ‹format› sequences")
	case data.Run.Can().Places > 1:
		return fmt.Errorf("fit: courses are found where all sequences are in one place, and these lie at several: leave ‹courses› out")
	case s.Privacy.Epsilon > 0:
		return fmt.Errorf("fit: courses look at every sequence, which differential privacy forbids: leave ‹courses› or ‹epsilon› out")
	case s.Courses > data.Run.Len():
		return fmt.Errorf("fit: %d courses asked for of %d sequences: ask for fewer with ‹courses›", s.Courses, data.Run.Len())
	}
	return nil
}

// courser looks for courses among sequences.
type courser struct {
	fam    family.Coursed
	p      mixture.Params // states of one chain for all sequences
	run    pass.Runner
	k      int // states
	s      Settings
	pseudo float64
	held   bool // the states are what steps show, and stay
}

// coursed are courses with the states that they pass through.
type coursed struct {
	*mixture.Courses
	states mixture.Params
	ll     float64 // log-likelihood
}

// courses adds to a fit of states the courses that were asked for: every sequence
// gets the chain of its kind. EM starts from the moments of what each sequence does
// by itself, and from clouds of that; the likelier end is taken. The states of one
// chain for all take some of what a course shows for moves between them; so states
// and courses are then learned together, until the likelihood of the whole, a
// mixture of hidden Markov models with shared states, grows no more. Held states
// stay as they are.
func (s Settings) courses(ctx context.Context, fam family.Family, o *Outcome, data Training, held bool) (*Outcome, error) {
	if s.Courses == 0 {
		return o, nil
	}
	f, ok := fam.(family.Coursed)
	if !ok {
		return nil, fmt.Errorf("fit: the model %s has no courses: leave ‹courses› out", fam.Info().Name)
	}
	p := o.Model.Params
	if p.K() < 2 {
		return nil, fmt.Errorf("fit: %w: the sequences have one state, and no course through several: ask for states with ‹groups›, or leave ‹courses› out", ErrTooLittle)
	}
	c := &courser{f, p, data.Run, p.K(), s, s.Prior.Records(), held}
	walks, err := c.walks(ctx)
	if err != nil {
		return nil, err
	}
	single, err := c.together(ctx, coursed{Courses: c.begun(walks, make([]int, walks.N), 1), states: p}, s.Courses == 1)
	if err != nil {
		return nil, err
	}
	best, gains := single, []float64{0}
	for n := 2; n <= min(s.Courses+1, data.Run.Len()); n++ { // one more than was asked for says whether it would be better
		found, err := c.best(ctx, walks, n)
		if err == nil {
			found, err = c.together(ctx, found, n == s.Courses)
		}
		if err != nil {
			return nil, err
		}
		if n == s.Courses {
			best = found
		}
		free := float64((n - 1) * (1 + (p.K()-1)*(p.K()+1)))
		gains = append(gains, found.ll-single.ll-free/2*math.Log(float64(data.Run.Len())))
	}
	if o, err = c.canonical(ctx, fam, o, &best, data); err != nil {
		return nil, err
	}
	if err := c.count(ctx, best.Courses, o.Group); err != nil {
		return nil, err
	}
	if at := slices.Index(best.N, 0); at >= 0 {
		return nil, fmt.Errorf("fit: %w: the sequences do not show %d courses, for nothing takes one of them: ask for fewer with ‹courses›", ErrTooLittle, s.Courses)
	}
	best.Gain, best.Gains = gains[s.Courses-1], gains
	o.Model.Provenance.Courses = best.Courses
	o.Model.Provenance.Warnings = append(o.Model.Provenance.Warnings, countedCourses(s.Courses, gains)...)
	return o, nil
}

// countedCourses warns where another number of courses describes the sequences
// better than the one that was asked for.
func countedCourses(asked int, gains []float64) []warn.Warning {
	likeliest := slices.Index(gains, slices.Max(gains)) + 1
	switch {
	case asked > 1 && gains[asked-1] <= 0:
		return []warn.Warning{warn.New(warn.Caution, "courses-doubtful", "Ask for fewer courses, or leave --courses out.",
			"One course describes the sequences as well as %d: the courses may be chance.", asked)}
	case likeliest < asked:
		return []warn.Warning{warn.New(warn.Caution, "courses-doubtful", "Try --courses "+strconv.Itoa(likeliest)+".",
			"%d courses describe the sequences better than %d (BIC): one of the courses may be chance.", likeliest, asked)}
	case likeliest > asked:
		return []warn.Warning{warn.New(warn.Note, "courses-more", "Try --courses "+strconv.Itoa(likeliest)+".",
			"%d courses describe the sequences better than %d (BIC).", likeliest, asked)}
	}
	return nil
}

// canonical brings states and courses into canonical order, and places the steps by
// the states as they are now.
func (c *courser) canonical(ctx context.Context, fam family.Family, o *Outcome, best *coursed, data Training) (*Outcome, error) {
	order := best.states.Order()
	if c.held {
		slices.Sort(order)
	}
	best.Courses = reordered(best.Courses, order)
	c.p = fam.Reorder(best.states, order)
	if c.held {
		return o, nil
	}
	sum, err := fam.EStep(c.p, false)
	if err != nil {
		return nil, err
	}
	state, err := pass.RunOne(ctx, c.run, sum)
	if err != nil {
		return nil, err
	}
	o.Model.Params, o.Model.Provenance.Objective = c.p, state[0]
	return place(ctx, fam, o.Model, data)
}

// best climbs from all starts to the likeliest n courses through the states of one
// chain.
func (c *courser) best(ctx context.Context, walks normals.Table, n int) (best coursed, err error) {
	habits := c.habits(walks)
	starts := [][]int{normals.Nearest(habits, n, clusterStarts, stream.New(c.s.Seed, "fit/courses"))}
	found, err := c.fromMoments(ctx, habits, n)
	if err != nil {
		return best, err
	}
	if found != nil {
		starts = append([][]int{found}, starts...)
	}
	for _, labels := range starts {
		next, err := c.climb(ctx, coursed{Courses: c.begun(walks, labels, n), states: c.p}, false, courseRough)
		if err != nil {
			return best, err
		}
		if best.Courses == nil || next.ll > best.ll {
			best = next
		}
	}
	return best, nil
}

// together learns states and courses together, from these on; to the end where
// they are what was asked for.
func (c *courser) together(ctx context.Context, from coursed, asked bool) (coursed, error) {
	tol := courseRough
	if asked {
		tol = courseTol
	}
	return c.climb(ctx, from, !c.held, tol)
}

// walks returns what sequences, evenly spread, are expected to do: first states
// and moves.
func (c *courser) walks(ctx context.Context) (normals.Table, error) {
	n, d := c.run.Can().Own, c.k+c.k*c.k
	every := (n + courseSample - 1) / courseSample
	t := normals.Table{N: (n + every - 1) / every, D: d}
	t.X = make([]float64, t.N*d)
	_, err := c.run.Own(ctx, func(b pass.Block) error {
		out := make([]float64, b.N()*d)
		if err := c.fam.Walks(c.p, b, out); err != nil {
			return err
		}
		for i := range b.N() {
			if at := b.First + i; at%every == 0 {
				copy(t.Row(at/every), out[i*d:][:d])
			}
		}
		return nil
	})
	return t, err
}

// habits returns the shares of the moves of every sequence among its own.
func (c *courser) habits(walks normals.Table) normals.Table {
	out := normals.Table{N: walks.N, D: c.k * c.k}
	for i := range walks.N {
		moves := slices.Clone(walks.Row(i)[c.k:])
		floats.Scale(1/math.Max(floats.Sum(moves), 1e-300), moves)
		out.X = append(out.X, moves...)
	}
	return out
}

// fromMoments returns the group of every sequence by a mixture over its habits;
// nil where they have too few dimensions for so many.
func (c *courser) fromMoments(ctx context.Context, habits normals.Table, n int) ([]int, error) {
	rows := sparse.Rows{Dim: habits.D, Dense: habits.X}
	data := Training{
		Run: pass.NewLocal(rows, c.s.Workers), Vocab: vocab.Numbered(habits.D), Kind: record.Real,
	}
	s := Settings{K: n, Seed: c.s.Seed, Workers: c.s.Workers, Spec: model.Spec{Covariance: model.Spherical}}
	out, err := Flat(progress.With(ctx, nil), data, s)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || out.Model == nil {
		if err != nil && !errors.Is(err, ErrTooLittle) {
			return nil, err
		}
		return nil, nil
	}
	labels := make([]int, len(out.Group))
	for i, g := range out.Group {
		labels[i] = int(g)
	}
	return labels, nil
}

// begun returns the courses of sequences that are put into them.
func (c *courser) begun(walks normals.Table, labels []int, courses int) *mixture.Courses {
	part := 1 + 2*c.k + c.k*c.k
	state := make([]float64, 1+courses*part)
	for i, g := range labels {
		of, walk := state[1+g*part:][:part], walks.Row(i)
		of[0]++
		floats.Add(of[1:][:c.k], walk[:c.k])
		floats.Add(of[1+2*c.k:], walk[c.k:])
	}
	return c.fam.CourseMax(state, courses, c.p, max(c.pseudo, 1))
}

// climb runs EM, over the states too where they are to be learned, and returns
// where it ends. The prior of the chains is that of one for all, as it was found
// first.
func (c *courser) climb(ctx context.Context, from coursed, states bool, tol float64) (coursed, error) {
	last := math.Inf(-1)
	for step := 0; ; step++ {
		sum, err := c.fam.CourseStep(from.states, from.Courses, states)
		if err != nil {
			return from, err
		}
		state, err := pass.RunOne(ctx, c.run, sum)
		if err != nil {
			return from, err
		}
		from.ll = state[0]
		next := c.fam.CourseMax(state, from.K(), c.p, c.pseudo)
		if step == courseSteps || math.Abs(from.ll-last) <= tol*math.Abs(from.ll) {
			from.Time = next.Time
			return from, nil
		}
		if states {
			from.states = c.fam.CourseShown(state, from.K(), from.states, c.pseudo)
		}
		last, from.Courses = from.ll, next
	}
}

// reordered returns the courses by falling share, their states in this order.
func reordered(c *mixture.Courses, states []int) *mixture.Courses {
	order := make([]int, c.K())
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(c.Share[y], c.Share[x]) })
	out := &mixture.Courses{}
	for _, j := range order {
		var start, time, moves []float64
		for _, from := range states {
			start, time = append(start, c.Start[j][from]), append(time, c.Time[j][from])
			for _, to := range states {
				moves = append(moves, c.Moves[j][from*len(states)+to])
			}
		}
		out.Share, out.Start = append(out.Share, c.Share[j]), append(out.Start, start)
		out.Moves, out.Time = append(out.Moves, moves), append(out.Time, time)
	}
	return out
}

// count puts every sequence into its course, and counts there those with a step in
// every state; states are those of the steps.
func (c *courser) count(ctx context.Context, of *mixture.Courses, states []int32) error {
	n := c.run.Can().Own
	course, visited := make([]int, n), make([]bool, n*c.k)
	_, err := c.run.Own(ctx, func(b pass.Block) error {
		post := make([]float64, b.N()*of.K())
		if err := c.fam.CoursePosterior(c.p, of, b, post); err != nil {
			return err
		}
		for i := range b.N() {
			course[b.First+i] = assign.Best(post[i*of.K():][:of.K()])
			for row := b.Steps[i]; row < b.Steps[i+1]; row++ {
				visited[(b.First+i)*c.k+int(states[row])] = true
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	of.N, of.In = make([]int, of.K()), make([][]int, of.K())
	for j := range of.In {
		of.In[j] = make([]int, c.k)
	}
	for i, j := range course {
		of.N[j]++
		for state := range c.k {
			if visited[i*c.k+state] {
				of.In[j][state]++
			}
		}
	}
	return nil
}
