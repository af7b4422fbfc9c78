package explain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// courses tells the kinds of sequences by how they pass through the states. What
// is shared has none. Under a limit there are none where a course has fewer people
// than that, and a state is reported where enough people of every course were in it,
// or none; starts, which are counts of people in disguise, are not. What the states
// of a course leave of its steps is of those that are not reported, together: nothing is
// told of any course where that would be of few people in one of them.
func (b *builder) courses() {
	c := b.o.Model.Provenance.Courses
	if c == nil || b.r.Shape != report.States || b.r.Ring == report.Shared || len(c.In) != c.K() || len(c.N) != c.K() {
		return
	}
	for _, n := range c.N {
		if n < b.open.limit {
			b.r.Warnings = append(b.r.Warnings, warn.New(warn.Note, "courses-withheld", "Ask for fewer courses.",
				"The courses are not told: one of them has too few %s.", b.r.Unit.Many))
			return
		}
	}
	open := b.openStates(c)
	for j := range c.Share {
		b.r.Courses = append(b.r.Courses, b.course(c, j, open))
	}
}

// openStates are those that are reported of every course: one course is what the others
// leave of a state.
func (b *builder) openStates(c *mixture.Courses) []bool {
	open := make([]bool, b.params.K())
	for s := range open {
		open[s] = b.open.sizeOpen(b.h.leaf[s])
		for _, in := range c.In {
			open[s] = open[s] && (in[s] == 0 || in[s] >= b.open.limit)
		}
	}
	return open
}

// restOpen reports that what the open states leave may be known of every course: it
// is nothing, or of two states at least and of enough people.
func (b *builder) restOpen(c *mixture.Courses, open []bool) bool {
	for _, in := range c.In {
		states, most := 0, 0
		for s := range open {
			if !open[s] && in[s] > 0 {
				states++
				most = max(most, in[s])
			}
		}
		if states == 1 || states > 1 && most < b.open.limit {
			return false
		}
	}
	return true
}

func (b *builder) course(c *mixture.Courses, j int, open []bool) report.Course {
	k, limit, known := b.params.K(), b.open.limit, b.restOpen(c, open)
	out := report.Course{ID: strconv.Itoa(j + 1), N: report.CountOf(c.N[j]), Share: report.NumberOf(c.Share[j]), Words: b.courseWords(c, j, open)}
	if limit > 0 { // the model's share has more digits than the count
		all := 0
		for _, n := range c.N {
			all += n
		}
		out.Share = report.NumberOf(float64(c.N[j]) / float64(all))
	}
	for s := range open {
		if !open[s] {
			continue
		}
		from := report.CourseFrom{State: b.h.ids[b.h.leaf[s]]}
		if limit == 0 {
			from.Start = report.NumberOf(c.Start[j][s])
		}
		if known {
			from.Time = report.NumberOf(c.Time[j][s])
			for to := range open {
				if open[to] {
					from.Moves = append(from.Moves, report.Move{To: b.h.ids[b.h.leaf[to]], Probability: report.NumberOf(c.Moves[j][s*k+to])})
				}
			}
		}
		out.From = append(out.From, from)
	}
	return out
}

// Bounds of the words for courses.
const (
	staysMostly = 0.8  // of the steps in one state
	staysLong   = 0.85 // chance that the next step is in the same state
	moreOften   = 0.05 // of the steps, above all sequences
	wordedMoves = 3
)

// flow is a move between two states and its share of the steps.
type flow struct {
	from, to int
	share    float64
}

// courseWords says what a course does, of the states that may be reported: it stays
// in one, or wherever it is, or makes some moves more than others.
func (b *builder) courseWords(c *mixture.Courses, j int, open []bool) string {
	k, most, steps, same := len(open), -1, 0.0, 0.0
	var flows []flow
	for s := range open {
		if !open[s] {
			continue
		}
		if most < 0 || c.Time[j][s] > c.Time[j][most] {
			most = s
		}
		steps, same = steps+c.Time[j][s], same+c.Time[j][s]*c.Moves[j][s*k+s]
		for t := range open {
			if t != s && open[t] {
				flows = append(flows, flow{s, t, c.Time[j][s] * c.Moves[j][s*k+t]})
			}
		}
	}
	switch {
	case most < 0:
		return "too few " + b.r.Unit.Many + " in any state to say what they do"
	case c.Time[j][most] >= staysMostly || len(flows) == 0:
		return "stays in " + b.stateWords(most)
	case same >= staysLong*steps:
		if own := b.ownState(c, j, open); own == most {
			return "stays long where it is, most often in " + b.stateWords(most) + ", and more than the others"
		}
		return "stays long where it is, most often in " + b.stateWords(most) + b.ownWords(c, j, open)
	}
	return b.flowWords(flows) + b.ownWords(c, j, open)
}

// ownWords names the state of ownState.
func (b *builder) ownWords(c *mixture.Courses, j int, open []bool) string {
	if own := b.ownState(c, j, open); own >= 0 {
		return "; more than the others in " + b.stateWords(own)
	}
	return ""
}

// ownState is the state that a course is in more than all sequences are, where that
// is by moreOften of the steps, or -1.
func (b *builder) ownState(c *mixture.Courses, j int, open []bool) int {
	best, most := -1, moreOften
	for s := range open {
		more := c.Time[j][s]
		for i, share := range c.Share {
			more -= share * c.Time[i][s]
		}
		if open[s] && more >= most {
			best, most = s, more
		}
	}
	return best
}

// flowWords names the most common moves: those at least half as common as the
// first of them.
func (b *builder) flowWords(flows []flow) string {
	falling(flows, func(x flow) float64 { return x.share })
	n := 1
	for n < min(len(flows), wordedMoves) && flows[n].share >= flows[0].share/2 {
		n++
	}
	if f := flows[0]; n == 2 && flows[1].from == f.to && flows[1].to == f.from {
		return fmt.Sprintf("goes to and fro between %s and %s", b.stateWords(min(f.from, f.to)), b.stateWords(max(f.from, f.to)))
	}
	var out []string
	for _, f := range flows[:n] {
		out = append(out, fmt.Sprintf("from %s to %s", b.stateWords(f.from), b.stateWords(f.to)))
	}
	return "goes " + strings.Join(out, ", ")
}

func (b *builder) stateWords(s int) string {
	g := b.r.Leaf(s)
	return fmt.Sprintf("state %s (%s)", g.ID, g.Name)
}
