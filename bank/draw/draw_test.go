package draw

import (
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"testing"

	"github.com/moiety-go/moiety/bank/law"
)

func TestWrite(t *testing.T) {
	for _, c := range []struct {
		name string
		data law.Data
		want string
		keys []string
	}{
		{"table", law.Data{Columns: []string{"a", "b"}, Table: [][]string{{"1", ""}, {"x, y", "2"}}}, "a,b\n1,\n\"x, y\",2\n", []string{"1", "2"}},
		{"lists", law.Data{Lists: [][]string{{"I10", "E11.9"}, {}}}, "id,code\n1,I10\n1,E11.9\n2,\n", []string{"1", "2"}},
		{"texts", law.Data{Texts: []string{"one\n two", "", "three"}}, "one two\n\nthree\n", []string{"1", "2", "3"}},
		{"symbols", law.Data{Steps: [][]string{{"a"}, {"b", "1"}}}, "id,time,state\n1,1,a\n2,1,b\n2,2,1\n", []string{"1,1", "2,1", "2,2"}},
		{"numbers", law.Data{Steps: [][]string{{"0.5", ""}}}, "id,time,value\n1,1,0.5\n1,2,\n", []string{"1,1", "1,2"}},
	} {
		f, err := Write(t.TempDir(), c.data)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != c.want || !reflect.DeepEqual(f.Keys, c.keys) {
			t.Errorf("%s: file %q with keys %v", c.name, got, f.Keys)
		}
		if f.Steps != (c.data.Steps != nil) || f.Steps != (f.Flags != nil) {
			t.Errorf("%s: steps %t, flags %v", c.name, f.Steps, f.Flags)
		}
	}
}

// TestRecords sees that draws depend on the seed and on the names of hand and law,
// and that sequences are fewer.
func TestRecords(t *testing.T) {
	l := law.Law{Name: "one number", Kind: law.Texts, Draw: func(r *rand.Rand, n int) law.Data {
		return law.Data{Texts: []string{strconv.Itoa(n), strconv.FormatUint(r.Uint64(), 10)}}
	}}
	first := Records("hand", l, 300, 1)
	if again := Records("hand", l, 300, 1); !reflect.DeepEqual(first, again) {
		t.Error("two draws from one seed differ")
	}
	seen := map[string]bool{first.Texts[1]: true}
	seen[Records("hand", l, 300, 2).Texts[1]] = true
	seen[Records("other", l, 300, 1).Texts[1]] = true
	l.Name, l.Kind = "another", law.Sequences
	last := Records("hand", l, 300, 1)
	if seen[last.Texts[1]] = true; len(seen) != 4 {
		t.Errorf("%d different draws of 4", len(seen))
	}
	if last.Texts[0] != "60" {
		t.Errorf("%s sequences", last.Texts[0])
	}
}
