package api

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
)

// MembersRequest asks for a part of the records of a group.
type MembersRequest struct {
	Run   string `json:"run"`
	Group string `json:"group"`
	From  int    `json:"from"`
	Most  int    `json:"most"`
	// Show asks for single records of people's health: without it none is reported.
	Show bool `json:"show"`
	// Best lists the surest records first, in place of the order of the data.
	Best bool `json:"best"`
}

// Members are single records of a group, in the order of the data.
type Members struct {
	Run    string       `json:"run"`
	Group  string       `json:"group"`
	N      report.Count `json:"n"`
	Hidden bool         `json:"hidden"` // single records were not asked for
	// Beside names the first of the columns that were kept beside: the title of a
	// document, the age of a patient.
	Beside  []string `json:"beside,omitempty"`
	Members []Member `json:"members" gate:"records"`
	Next    int      `json:"next,omitempty" gate:"index"`
}

// Member is one record.
type Member struct {
	ID          string   `json:"id"`
	Group       string   `json:"group"`
	Probability float64  `json:"probability" gate:"records"`
	Features    []string `json:"features"`
	// Typical are the places in Features of those that mark the group.
	Typical []int `json:"typical" gate:"records"`
	// Beside are the values of the columns that were kept beside, in the order of
	// Members.Beside; "" where one is missing.
	Beside []string `json:"beside,omitempty"`
}

// memberFeatures are those of a record that are shown.
const memberFeatures = 40

// Members lists records of a group.
func (a *API) Members(ctx context.Context, r MembersRequest) (*Members, error) {
	s, t, err := a.explained(ctx, r.Run, "", "")
	if err != nil {
		return nil, err
	}
	g, ok := t.report.Find(r.Group)
	leaves, known := groupOf(s.run, r.Group)
	if !ok || !known {
		return nil, unknown("There is no group %q.", r.Group)
	}
	out := &Members{Run: r.Run, Group: r.Group, N: g.N, Members: []Member{}}
	if s.run.Manifest.Health && !r.Show {
		out.Hidden = true
		return out, nil
	}
	return out, a.listMembers(ctx, s, out, leaves, typicalOf(g), r)
}

// typicalOf returns the names of the features that mark a group.
func typicalOf(g *report.Group) map[string]bool {
	out := make(map[string]bool)
	for _, f := range g.Typical {
		if f.Clear {
			out[f.Name] = true
		}
	}
	return out
}

// placed is a record of a group.
type placed struct {
	record      int
	group       int32
	probability float32
}

func (a *API) listMembers(ctx context.Context, s *story, out *Members, leaves map[int32]bool, typical map[string]bool, r MembersRequest) error {
	records, done, err := s.run.Records()
	if err != nil {
		return err
	}
	defer done()
	edited, err := s.run.Edited(ctx, records)
	if err != nil {
		return err
	}
	all, err := placedIn(ctx, records, edited, leaves)
	if err != nil {
		return err
	}
	if r.Best {
		slices.SortStableFunc(all, func(x, y placed) int { return cmp.Compare(y.probability, x.probability) })
	}
	lo, hi, next := PageRequest{r.From, r.Most}.bounds(len(all))
	out.Next = next
	sides := records.Describe().Side
	out.Beside = sides[:min(len(sides), shownSides)]
	wanted := make(map[int]int) // where a record stands in the answer
	for i, x := range all[lo:hi] {
		wanted[x.record] = i
		out.Members = append(out.Members, Member{Group: s.run.GroupID(int(x.group)), Probability: float64(x.probability)})
	}
	left := len(wanted)
	err = records.Each(ctx, func(first int, d *dataset.Dataset) error {
		for i := range d.Len() {
			if left == 0 {
				return errEnough
			}
			if at, ok := wanted[first+i]; ok {
				out.Members[at].fill(d, i, typical, out.Beside)
				left--
			}
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return err
}

// placedIn lists the records of some groups; a sequence belongs where it begins.
func placedIn(ctx context.Context, records dataset.Data, o *fit.Outcome, leaves map[int32]bool) ([]placed, error) {
	var out []placed
	if !records.Describe().Sequences {
		for i, g := range o.Group {
			if leaves[g] {
				out = append(out, placed{i, g, o.Probability[i]})
			}
		}
		return out, nil
	}
	row := 0
	err := records.Each(ctx, func(first int, d *dataset.Dataset) error {
		for i := range d.Len() {
			steps := d.Steps[i+1] - d.Steps[i]
			if steps > 0 && leaves[o.Group[row]] {
				out = append(out, placed{first + i, o.Group[row], o.Probability[row]})
			}
			row += steps
		}
		return nil
	})
	return out, err
}

// fill tells what a record has.
func (m *Member) fill(d *dataset.Dataset, i int, typical map[string]bool, beside []string) {
	row := i
	if d.Steps != nil {
		row = d.Steps[i]
	}
	words, names := featuresOf(d, row, memberFeatures)
	m.ID, m.Features, m.Typical = d.ID(i), words, []int{}
	for k, name := range names {
		if typical[name] {
			m.Typical = append(m.Typical, k)
		}
	}
	for _, name := range beside {
		m.Beside = append(m.Beside, sideOf(d, name, i))
	}
}

// NextFrom implements Paged.
func (m *Members) NextFrom() int { return m.Next }
