package explain_test

import (
	"strings"
	"testing"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/report"
)

// twoWays are courses by hand: one stays in the first state, the other goes to and
// fro.
func twoWays(n []int, in [][]int) *mixture.Courses {
	return &mixture.Courses{
		Share: []float64{.7, .3}, Start: [][]float64{{1, 0}, {.5, .5}},
		Moves: [][]float64{{.95, .05, .9, .1}, {.4, .6, .7, .3}}, Time: [][]float64{{.9, .1}, {.55, .45}}, N: n, In: in,
	}
}

func TestCoursesInWords(t *testing.T) {
	o, d := chains(t, 100)
	if r := explained(t, o, d, report.Settings{}); r.Courses != nil {
		t.Errorf("courses %v of a fit without", r.Courses)
	}
	o.Model.Provenance.Courses = twoWays([]int{70, 30}, [][]int{{70, 2}, {30, 30}})
	r := explained(t, o, d, report.Settings{})
	if len(r.Courses) != 2 || !strings.HasPrefix(r.Courses[0].Words, "stays in state 1 (") || !strings.HasPrefix(r.Courses[1].Words, "goes to and fro between state 1 (") || !strings.Contains(r.Courses[1].Words, "more than the others in state 2 (") {
		t.Fatalf("courses %+v", r.Courses)
	}
	c := r.Courses[1]
	if c.ID != "2" || c.Share.Or(0) != .3 || c.N != report.CountOf(30) || len(c.From) != 2 || c.From[1].Moves[0].Probability.Or(0) != .7 || c.From[0].Start.Or(0) != .5 {
		t.Errorf("course 2 is %+v", c)
	}
}

// Courses of few people, and states that few people of a course were in, are not
// reported; what is shared has none.
func TestCoursesBehindTheGate(t *testing.T) {
	for _, c := range []struct {
		name    string
		n       []int
		in      [][]int
		share   bool
		courses int
		moves   bool
	}{
		{"all large", []int{70, 30}, [][]int{{70, 11}, {30, 30}}, false, 2, true},
		{"nobody there", []int{70, 30}, [][]int{{70, 0}, {30, 30}}, false, 2, true},
		{"few in a state of one course", []int{70, 30}, [][]int{{70, 10}, {30, 30}}, false, 2, false},
		{"a small course", []int{90, 10}, [][]int{{90, 90}, {10, 10}}, false, 0, false},
		{"just large enough", []int{89, 11}, [][]int{{89, 89}, {11, 11}}, false, 2, true},
		{"shared", []int{70, 30}, [][]int{{70, 70}, {30, 30}}, true, 0, false},
	} {
		o, d := chains(t, 100)
		o.Model.Provenance.Courses = twoWays(c.n, c.in)
		r := explained(t, o, d, report.Settings{Health: true, MinCell: 11, Share: c.share})
		if len(r.Courses) != c.courses {
			t.Errorf("%s: %d courses told, want %d", c.name, len(r.Courses), c.courses)
			continue
		}
		for _, course := range r.Courses {
			for _, from := range course.From {
				if (len(from.Moves) > 0) != c.moves || from.Time.Masked() == c.moves || !from.Start.Masked() {
					t.Errorf("%s: course %s tells %+v", c.name, course.ID, from)
				}
			}
			if !c.moves && strings.Contains(course.Words, "state 2") {
				t.Errorf("%s: course %s: %s", c.name, course.ID, course.Words)
			}
		}
	}
}
