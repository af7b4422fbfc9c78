package texts

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

func files(names ...string) (out []source.Input) {
	for _, n := range names {
		out = append(out, source.Bytes(n, []byte("to be")))
	}
	return out
}

// Names of files tell dates as fine as all of them have them, and folders where
// there are several; nothing where one name has no date, or two.
func TestNamesOfFiles(t *testing.T) {
	cases := []struct {
		names []string
		want  map[string][]string
	}{
		{[]string{"1945-Truman.txt", "1946-Truman.txt"}, map[string][]string{"date": {"1945", "1946"}}},
		{[]string{"a_2008-12-31.txt", "b_20090101.txt"}, map[string][]string{"date": {"2008-12-31", "2009-01-01"}}},
		{[]string{"2008_12_31.txt", "2009-02.txt"}, map[string][]string{"date": {"2008-12", "2009-02"}}},
		{[]string{"1998-2001.txt", "2002.txt"}, nil},
		{[]string{"1945.txt", "notes.txt"}, nil},
		{[]string{"1945.txt", "speech-1945.txt"}, nil}, // all the same
		{[]string{"case12008.txt", "case12009.txt"}, nil},
		{[]string{"news/sci.med/1.txt", "news/sci.space/1.txt"}, map[string][]string{"folder": {"sci.med", "sci.space"}}},
		{[]string{"news/sci.med/1.txt", "news/sci.med/2.txt"}, nil},
		{[]string{`a\1999.txt`, `b\2001.txt`}, map[string][]string{"folder": {"a", "b"}, "date": {"1999", "2001"}}},
	}
	for _, c := range cases {
		got := tellingNames(files(c.names...))
		for _, g := range got {
			if !slices.Equal(g.value, c.want[g.name]) {
				t.Errorf("%q: %s is %q, want %q", c.names, g.name, g.value, c.want[g.name])
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%q: %+v, want %v", c.names, got, c.want)
		}
	}
	s, err := New(files("x/1999.txt", "y/2001.txt"), Options{}, new(record.Problems))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := all(t, s); err != nil || got != "1999: to be | x | 1999\n2001: to be | y | 2001" {
		t.Errorf("%q, %v", got, err)
	}
}
