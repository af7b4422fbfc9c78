package api

import (
	"context"
	"errors"
	"math"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/report"
)

// MembersRequest asks for a part of the records of a group.
type MembersRequest struct {
	Run   string `json:"run"`
	Group string `json:"group"`
	From  int    `json:"from"`
	Most  int    `json:"most"`
	// Show asks for single records of people's health: without it none is told.
	Show bool `json:"show"`
}

// Members are single records of a group, in the order of the data.
type Members struct {
	Run     string       `json:"run"`
	Group   string       `json:"group"`
	N       report.Count `json:"n"`
	Hidden  bool         `json:"hidden"` // single records were not asked for
	Members []Member     `json:"members" gate:"records"`
	Next    int          `json:"next,omitempty" gate:"index"`
}

// Member is one record.
type Member struct {
	ID          string   `json:"id"`
	Group       string   `json:"group"`
	Probability float64  `json:"probability" gate:"records"`
	Features    []string `json:"features"`
	// Typical are the places in Features of those that mark the group.
	Typical []int `json:"typical" gate:"records"`
}

// memberFeatures are those of a record that are shown.
const memberFeatures = 40

// Members lists records of a group.
func (a *API) Members(ctx context.Context, r MembersRequest) (*Members, error) {
	s, t, err := a.told(ctx, r.Run, "")
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
			out[f.Title], out[f.Name] = true, true
		}
	}
	return out
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
	lo, hi, _ := PageRequest{r.From, r.Most}.bounds(math.MaxInt32)
	at, row := 0, 0
	err = records.Each(ctx, func(_ int, d *dataset.Dataset) error {
		for i := range d.Len() {
			steps := 1
			if d.Steps != nil {
				steps = d.Steps[i+1] - d.Steps[i]
			}
			first := row
			row += steps
			if steps == 0 || !leaves[edited.Group[first]] {
				continue
			}
			if at >= hi {
				out.Next = hi
				return errEnough
			}
			if at >= lo {
				m := Member{ID: d.ID(i), Group: s.run.GroupID(int(edited.Group[first])), Probability: float64(edited.Probability[first]), Typical: []int{}}
				local := i
				if d.Steps != nil {
					local = d.Steps[i]
				}
				m.Features = featuresOf(d, local, memberFeatures)
				for k, f := range m.Features {
					if typical[f] {
						m.Typical = append(m.Typical, k)
					}
				}
				out.Members = append(out.Members, m)
			}
			at++
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return err
}

// NextFrom implements Paged.
func (m *Members) NextFrom() int { return m.Next }
