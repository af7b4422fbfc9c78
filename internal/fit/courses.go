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
	courseSteps  = 1000  // of EM at most
	courseTol    = 1e-9  // gain of the log-likelihood, relative, that ends it
)

// hasCourses refuses courses where they have no meaning.
func (s Settings) hasCourses(data Data) error {
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

// courser looks for courses among sequences whose states are known.
type courser struct {
	fam    family.Coursed
	p      mixture.Params
	run    pass.Runner
	k      int // states
	s      Settings
	pseudo float64
}

// courses adds to a fit of states the courses that were asked for: the states
// stay as they are, and every sequence gets the chain of its kind. EM starts from
// the moments of what each sequence does by itself, and from clouds of that; the
// likelier end is taken.
func (s Settings) courses(ctx context.Context, fam family.Family, o *Outcome, data Data) (*Outcome, error) {
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
	c := &courser{f, p, data.Run, p.K(), s, s.Prior.Records()}
	walks, err := c.walks(ctx)
	if err != nil {
		return nil, err
	}
	single, alone, err := c.climb(ctx, c.begun(walks, make([]int, walks.N), 1))
	if err != nil {
		return nil, err
	}
	best, gains := single, []float64{0}
	for n := 2; n <= min(s.Courses+1, data.Run.Len()); n++ { // one more than was asked for says whether it would be better
		found, reached, err := c.best(ctx, walks, n)
		if err != nil {
			return nil, err
		}
		if n == s.Courses {
			best = found
		}
		free := float64((n - 1) * (1 + (p.K()-1)*(p.K()+1)))
		gains = append(gains, reached-alone-free/2*math.Log(float64(data.Run.Len())))
	}
	best = reordered(best)
	if err := c.count(ctx, best, o.Group); err != nil {
		return nil, err
	}
	if at := slices.Index(best.N, 0); at >= 0 {
		return nil, fmt.Errorf("fit: %w: the sequences do not show %d courses, for nothing takes one of them: ask for fewer with ‹courses›", ErrTooLittle, s.Courses)
	}
	best.Gain, best.Gains = gains[s.Courses-1], gains
	o.Model.Provenance.Courses = best
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

// best climbs from all starts to the likeliest n courses.
func (c *courser) best(ctx context.Context, walks normals.Table, n int) (best *mixture.Courses, reached float64, err error) {
	habits := c.habits(walks)
	starts := [][]int{normals.Nearest(habits, n, clusterStarts, stream.New(c.s.Seed, "fit/courses"))}
	found, err := c.fromMoments(ctx, habits, n)
	if err != nil {
		return nil, 0, err
	}
	if found != nil {
		starts = append([][]int{found}, starts...)
	}
	for _, labels := range starts {
		next, ll, err := c.climb(ctx, c.begun(walks, labels, n))
		if err != nil {
			return nil, 0, err
		}
		if best == nil || ll > reached {
			best, reached = next, ll
		}
	}
	return best, reached, nil
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
	data := Data{
		Run: pass.NewLocal(rows, c.s.Workers), Rows: habits.N, InMemory: &rows,
		Vocab: vocab.Numbered(habits.D), Kind: record.Real,
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
	return c.fam.CourseMax(state, c.p, max(c.pseudo, 1))
}

// climb runs EM and returns where it ends, with the log-likelihood there.
func (c *courser) climb(ctx context.Context, from *mixture.Courses) (*mixture.Courses, float64, error) {
	last := math.Inf(-1)
	for step := 0; ; step++ {
		sum, err := c.fam.CourseStep(c.p, from)
		if err != nil {
			return nil, 0, err
		}
		state, err := pass.RunOne(ctx, c.run, sum)
		if err != nil {
			return nil, 0, err
		}
		if step == courseSteps || math.Abs(state[0]-last) <= courseTol*math.Abs(state[0]) {
			from.Time = c.fam.CourseMax(state, c.p, c.pseudo).Time
			return from, state[0], nil
		}
		last = state[0]
		from = c.fam.CourseMax(state, c.p, c.pseudo)
	}
}

// reordered returns the courses by falling share.
func reordered(c *mixture.Courses) *mixture.Courses {
	order := make([]int, c.K())
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(c.Share[y], c.Share[x]) })
	out := &mixture.Courses{}
	for _, j := range order {
		out.Share, out.Start = append(out.Share, c.Share[j]), append(out.Start, c.Start[j])
		out.Moves, out.Time = append(out.Moves, c.Moves[j]), append(out.Time, c.Time[j])
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
