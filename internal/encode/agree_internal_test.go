package encode

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/record"
)

// Sites that take claims and sites that take patients for records do not go together;
// one whose rows do not show what they are goes with either.
func TestUniteUnits(t *testing.T) {
	claims := Offer{Unit: "claim", Names: []string{"a"}}
	patients, silent := claims, claims
	patients.Unit, silent.Unit = "patient", ""
	all, err := Unite([]Offer{silent, claims, silent}, []string{"Oslo", "Bergen", "Tromso"})
	if err != nil || all.Unit != "claim" {
		t.Errorf("unit %q, %v", all.Unit, err)
	}
	_, err = Unite([]Offer{silent, claims, patients}, []string{"Oslo", "Bergen", "Tromso"})
	if err == nil || !strings.Contains(err.Error(), "a record of Tromso is a patient and one of Bergen a claim") || !strings.Contains(err.Error(), "‹unit›") {
		t.Errorf("claims and patients: %v", err)
	}
}

// offered returns the words in which a site tells what its records are.
func offered(t *testing.T, src record.Source) string {
	t.Helper()
	var text []byte
	_, err := Encode(t.Context(), src, Settings{Agree: func(_ context.Context, here *Tally) (*Tally, error) {
		o := here.Least(0)
		o.Plan.Vote = codes.Vote{} // a site keeps it
		var err error
		text, err = json.Marshal(o)
		return nil, errors.Join(err, errOffered)
	}}, nil)
	if !errors.Is(err, errOffered) {
		t.Fatal(err)
	}
	return string(text)
}

var errOffered = errors.New("offered")

// A site tells the same words in whatever order its records stand: in the order in
// which records have them the first names would be the codes of one person.
func TestOfferInNoOrderOfRecords(t *testing.T) {
	levels := func(lines ...string) *fake {
		f := lists("categorical", record.Categorical, lines...)
		c := record.Column{Name: "sex", Kind: record.Categorical}
		for h := range f.schema.Dict.Names() {
			c.Levels = append(c.Levels, uint32(h))
		}
		f.schema.Columns = []record.Column{c}
		return f
	}
	sparse := func(lines ...string) *fake {
		f := lists("svmlight", record.Real, lines...)
		f.schema.Sparse = true
		for h, name := range f.schema.Dict.Names() {
			f.schema.Columns = append(f.schema.Columns, record.Column{Name: name, Kind: record.Real, Feature: uint32(h)})
		}
		return f
	}
	loose := func(lines ...string) *fake { return lists("mixed", record.Mixed, lines...) }
	for name, c := range map[string]struct {
		of    func(lines ...string) *fake
		lines []string
	}{
		"codes":  {func(l ...string) *fake { return lists("long", record.Presence, l...) }, []string{"V30 428", "428 250", "042"}},
		"names":  {func(l ...string) *fake { return lists("list", record.Presence, l...) }, []string{"tea milk", "bread", "apple tea"}},
		"words":  {func(l ...string) *fake { return texts(2, l...) }, []string{"the zebra runs", "an apple falls", "milk and honey"}},
		"levels": {levels, []string{"female", "male", "female", "diverse"}}, "sparse columns": {sparse, []string{"9 4", "12 9", "1"}},
		"loose columns": {loose, []string{"z b", "a", "b a"}},
	} {
		t.Run(name, func(t *testing.T) {
			back := slices.Clone(c.lines)
			slices.Reverse(back)
			if one, two := offered(t, c.of(c.lines...)), offered(t, c.of(back...)); one != two {
				t.Errorf("told is\n%s\nand of the same records from the last to the first\n%s", one, two)
			}
		})
	}
}

// The columns of a table stay as its head names them, and so do features where somebody
// asked for their order.
func TestOfferInTheOrderOfATable(t *testing.T) {
	table := lists("binary", record.Presence, "x10 x2 x1", "x1")
	var names []string
	_, err := Encode(t.Context(), table, Settings{Encoding: dataset.Encoding{KeepOrder: true}, Agree: func(_ context.Context, here *Tally) (*Tally, error) {
		names = here.Least(0).Names
		return nil, errOffered
	}}, nil)
	if !errors.Is(err, errOffered) || !slices.Equal(names, []string{"x10", "x2", "x1"}) {
		t.Errorf("%v, %v", names, err)
	}
	real := lists("real", record.Real, "weight height", "height weight")
	for h, name := range real.schema.Dict.Names() {
		real.schema.Columns = append(real.schema.Columns, record.Column{Name: name, Kind: record.Real, Feature: uint32(h)})
	}
	text := offered(t, real)
	if at := strings.Index(text, `{"name":"weight"`); at < 0 || at > strings.Index(text, `{"name":"height"`) {
		t.Errorf("told is %s", text)
	}
}

// Few rows may look like measurements where all together look like counts: sites at which a
// column looks otherwise are told so by name, and so is one that has values missing.
func TestUniteLooks(t *testing.T) {
	looking := func(kind string, looks map[string]string) Offer {
		o := Offer{Format: "real", Names: []string{"a", "b"}, Looks: looks}
		o.Plan.Kind = kind
		return o
	}
	both := looking("real", map[string]string{"a": "counts", "b": "counts"})
	other := looking("real", map[string]string{"a": "counts", "b": "real"})
	named := looking("real", nil)
	for _, c := range []struct {
		offers []Offer
		want   string
	}{
		{[]Offer{both, named, both}, ""},
		{[]Offer{both, named, other}, `the column "b" looks like counts at Oslo and like real at Tromso`},
		{[]Offer{named, named, looking("mixed", nil)}, "name the ‹format› mixed at every site"},
	} {
		_, err := Unite(c.offers, []string{"Oslo", "Bergen", "Tromso"})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
