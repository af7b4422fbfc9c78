package show

import (
	"bytes"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// The probability of a sequence is the share of its steps in the state that is
// named, whatever the certainty of each step.
func TestSequencesByTheirSteps(t *testing.T) {
	states := [][]int32{{0, 1, 1, 0}, {1, 1, 1, 0}, {}, {2}}
	d := &dataset.Dataset{Vocab: vocab.Numbered(1), IDs: []string{"tie", "most", "none", "one"}, Steps: []int{0}}
	o := report.Placed{}
	for _, s := range states {
		for range s {
			o.Probability = append(o.Probability, .999987)
		}
		o.Group = append(o.Group, s...)
		d.Steps = append(d.Steps, len(o.Group))
	}
	d.Rows = sparse.Rows{Dim: 1, Ptr: make([]int, len(o.Group)+1)}
	r := &report.Report{Groups: []report.Group{{ID: "1"}, {ID: "2"}, {ID: "3"}}, Leaves: []int{0, 1, 2}}
	var b bytes.Buffer
	if err := AssignmentsCSV(t.Context(), &b, r, o, d, nil); err != nil {
		t.Fatal(err)
	}
	if want := "id,group,probability\ntie,1,0.5\nmost,2,0.75\nnone,1,0.333333\none,3,1\n"; b.String() != want {
		t.Errorf("%s, want %s", b.String(), want)
	}
}

// Averages are no probabilities.
func TestTopicsOfAverages(t *testing.T) {
	r := &report.Report{Leaves: []int{0}, Groups: []report.Group{{ID: "1", Typical: []report.Feature{
		{Name: "gene", Of: report.Average, Share: report.NumberOf(2), Ratio: report.NumberOf(1.5), Relevance: report.NumberOf(.1)},
		{Name: "flag", Of: report.OfRecords, Share: report.NumberOf(.25), Ratio: report.NumberOf(2), Relevance: report.NumberOf(0)},
	}}}}
	r.Table.Of = []report.Of{report.Average, report.OfRecords}
	var b bytes.Buffer
	if err := TopicsCSV(&b, r); err != nil {
		t.Fatal(err)
	}
	if want := "group,rank,feature,relevance,probability,ratio,average\n1,1,gene,0.1,,1.5,2\n1,2,flag,0,0.25,2,\n"; b.String() != want {
		t.Errorf("%s, want %s", b.String(), want)
	}
	if !TableForm("topics.csv").Ours(b.Bytes(), nil) || TableForm("topics.csv").Ours([]byte(strings.Replace(b.String(), "average", "mine", 1)), nil) {
		t.Error("the table is not known, or another is")
	}
}
