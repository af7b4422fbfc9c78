package run

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/pass"
)

// A file that the list of checksums does not name belongs to another run.
func TestSealByHand(t *testing.T) {
	s := newSeals(map[string]string{"a": "1"})
	for _, c := range []struct {
		name, sum string
		legal     bool
	}{{"a", "1", true}, {"a", "2", false}, {"b", "1", false}} {
		if err := s.check(c.name, c.sum); (err == nil) != c.legal {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Edits of another run are refused.
func TestEditsOfAnotherRun(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, editsFile), newEdits("mine", nil).text(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openEdits(dir, "mine", false); err != nil {
		t.Error(err)
	}
	if _, err := openEdits(dir, "yours", false); !errors.Is(err, container.ErrDamaged) {
		t.Errorf("edits of another run: %v", err)
	}
}

// Groups of one byte and of several come back, and a number of rows that the file cannot
// hold is damage, before memory is asked for.
func TestAssignmentsByHand(t *testing.T) {
	for _, top := range []int32{0, 127, 128, 255, 300, 40000} {
		group, probability := []int32{0, top, 1, top}, []float32{.25, .5, .75, 1}
		data, _ := encoded(t, group, probability)
		g, p, err := decodeAssignments(data)
		if err != nil || !slices.Equal(g, group) || !slices.Equal(p, probability) {
			t.Errorf("groups up to %d: %v %v (%v)", top, g, p, err)
		}
		body := slices.Clone(data[:len(data)-sha256.Size])
		binary.LittleEndian.PutUint64(body[len(assignmentsMagic)+4:], 1<<62)
		sum := sha256.Sum256(body)
		if _, _, err := decodeAssignments(append(body, sum[:]...)); !errors.Is(err, container.ErrDamaged) {
			t.Errorf("2^62 rows: %v", err)
		}
	}
}

// Records of a tree cannot be forgotten.
func TestForgetIsForFlatModels(t *testing.T) {
	for settings, legal := range map[string]bool{`{}`: false, `{"k":3}`: true} {
		r := &Run{}
		r.Manifest.Settings.Fit = []byte(settings)
		_, err := r.updateOrder(Update{Forget: .5})
		if (err == nil) != legal || err != nil && !errors.Is(err, fit.ErrSettings) {
			t.Errorf("%s: %v", settings, err)
		}
	}
}

// Inside a group features are what they were: codes that were rolled up are looked up in their
// system, others are names; of two systems names say which. Several levels, and settings that
// would make other features, are refused.
func TestFeaturesInsideStay(t *testing.T) {
	for _, c := range []struct {
		plan           encode.Plan
		system, rollup string
		counts         bool
	}{
		{encode.Plan{Presence: true}, "none", "", false},
		{encode.Plan{}, "none", "", true},
		{encode.Plan{Presence: true, System: codes.ICD9, Levels: []codes.Level{codes.Three}}, "icd9", "3", false},
		{encode.Plan{System: codes.ICD10, Levels: []codes.Level{codes.Full}}, "icd10", "full", true},
		{encode.Plan{System: codes.ICD10, Mixed: true, Levels: []codes.Level{codes.Full}}, "", "full", true},
		{encode.Plan{Presence: true, System: codes.ICD9, Levels: []codes.Level{codes.Chapters}}, "none", "", false},
	} {
		r := &Run{}
		r.Manifest.Plan = c.plan
		s, err := r.encodeAgain(encode.Settings{})
		if err != nil || s.System != c.system || s.Rollup != c.rollup || s.Counts != c.counts {
			t.Errorf("%+v: system %q, roll-up %q, counts %v (%v)", c.plan, s.System, s.Rollup, s.Counts, err)
		}
		for _, bad := range []encode.Settings{
			{Encoding: dataset.Encoding{Rollup: "3"}}, {Encoding: dataset.Encoding{Stopwords: "en"}}, {Encoding: dataset.Encoding{Stem: true}}, {Encoding: dataset.Encoding{Ngrams: 2}},
		} {
			if _, err := r.encodeAgain(bad); !errors.Is(err, fit.ErrSettings) {
				t.Errorf("%+v: %v", bad, err)
			}
		}
		r.Manifest.Plan.Levels = []codes.Level{codes.Full, codes.Three}
		if _, err := r.encodeAgain(encode.Settings{}); !errors.Is(err, fit.ErrSettings) {
			t.Errorf("two levels: %v", err)
		}
	}
}

// asked counts the totals that a site asks for.
type asked struct{ rounds int }

func (*asked) Places() (place, places int) { return 0, 1 }

func (*asked) Known(pass.Round) ([]float64, bool, error) { return nil, false, nil }

func (x *asked) Add(_ context.Context, _ pass.Round, numbers []float64) ([]float64, error) {
	x.rounds++
	return numbers, nil
}

func (*asked) Secret(pass.Round, []float64) (s [32]byte, err error) { return s, nil }

func (*asked) Leave(error) {}

// However little noise a private fit asks for, its report is made without another sum over the
// records; that of another fit is made of their counts.
func TestTablesOfAPrivateFit(t *testing.T) {
	a := twoGroups(1, 200, 1, 0)
	made, err := fit.Do(t.Context(), fit.Order{Args: []string{a.file(t, a.lines, "")}, Fit: a.s})
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	for _, epsilon := range []float64{0, .01, 1, 50} {
		x := &asked{}
		if made.Joined, err = pass.Join(t.Context(), made.Set.Runner(1), x, "test"); err != nil {
			t.Fatal(err)
		}
		m := &Made{Made: made, order: Order{Order: fit.Order{Join: &fit.Join{Exchange: x}}}}
		m.order.Fit.Privacy.Epsilon = epsilon
		before := x.rounds
		if err := m.tabulate(t.Context()); err != nil || len(m.Tables) == 0 {
			t.Fatalf("ε = %v: %v", epsilon, err)
		}
		if private := x.rounds == before; private != (epsilon > 0) {
			t.Errorf("ε = %v: %d totals are asked for", epsilon, x.rounds-before)
		}
	}
}
