package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
)

// TestPrivateModel: what is sent of a private fit is the model with its noise, to the
// last digit, and not what the records themselves would say.
func TestPrivateModel(t *testing.T) {
	numtest.NotShort(t)
	set := synth.Patients(1, 60000, 30, 3, 5)
	var b strings.Builder
	b.WriteString("id")
	for h := range 30 {
		fmt.Fprintf(&b, ",c%d", h)
	}
	b.WriteByte('\n')
	for i := range set.Rows.N() {
		index, _ := set.Rows.Row(i)
		row := make([]byte, 60)
		for h := range 30 {
			row[2*h], row[2*h+1] = ',', '0'
		}
		for _, h := range index {
			row[2*h+1] = '1'
		}
		fmt.Fprintf(&b, "p%d%s\n", i, row)
	}
	name := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	o := Order{Order: fit.Order{Args: []string{name}, Health: true}, Out: filepath.Join(t.TempDir(), "r")}
	o.Fit = fit.Settings{K: 3, Seed: 1, Spec: model.Spec{Model: "auto"}, Privacy: fit.Privacy{Epsilon: 3}}
	r, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for h := range 30 {
		for j := range 3 {
			if got, want := m.Model.Params.Centers.At(h, j), r.Outcome.Model.Params.Centers.At(h, j); got != want {
				t.Fatalf("feature %d of group %d: %v, learned was %v", h, j, got, want)
			}
		}
	}
	if n := r.Outcome.Model.Provenance.Records; n < 59000 || n > 61000 {
		t.Errorf("the model says that %d people were there", n)
	}
	if fp := r.Outcome.Model.Provenance.Data; fp != "" {
		t.Errorf("the model has a fingerprint of the data: %s", fp)
	}
	o.Out = filepath.Join(t.TempDir(), "few")
	o.Fit.Privacy.Epsilon = .01
	if _, err := Make(t.Context(), o); !errors.Is(err, fit.ErrTooLittle) {
		t.Errorf("ε = .01: %v", err)
	}
	o.Fit.Over = true
	if _, err := Make(t.Context(), o); err == nil || !strings.Contains(err.Error(), "‹tree›") {
		t.Errorf("a tree: %v", err)
	}
}
