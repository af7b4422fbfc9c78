package delimited

import (
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/read/source"
)

// Every mark of a missing value, and what is none.
func TestMarksOfMissing(t *testing.T) {
	for _, s := range []string{"", "?", ".", "NA", "n/a", "NaN", "null", "#N/A", `\N`, "<NA>", "#DIV/0!"} {
		if !missing([]byte(s)) {
			t.Errorf("%q is a value", s)
		}
	}
	for _, s := range []string{"0", "-", "..", "none", "x"} {
		if missing([]byte(s)) {
			t.Errorf("%q is missing", s)
		}
	}
}

// Numbers with a decimal point as tables hold them; "" where they are none.
func TestNumbersByHand(t *testing.T) {
	for text, want := range map[string]string{"1,234": "1234", "1,234,567.5": "1234567.5", "1234,567": "", "1,2345": "", "1,23": "", "-1,234": "-1234"} {
		if got, ok := cutThousands([]byte(text), '.'); ok != (want != "") || string(got) != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if x, _, ok := anyNumber([]byte("(12.50)"), '.'); !ok || x != -12.5 {
		t.Errorf("(12.50): %v %v, want what is owed", x, ok)
	}
	for text, want := range map[string]bool{"123456789012345": true, "1234567890123456": false} {
		if _, ok := shortNumber([]byte(text), '.'); ok != want {
			t.Errorf("%s is short: %v", text, ok)
		}
	}
	for text, want := range map[string]bool{"0": true, "7": true, "-1": false, "1.5": false, "1e17": false} {
		if x, ok := count([]byte(text), '.'); ok != want {
			t.Errorf("%s is a count: %v (%v)", text, ok, x)
		}
	}
}

// A semicolon in six of ten lines parts no columns; in seven it does.
func TestSeparatorByHand(t *testing.T) {
	for n, want := range map[int]byte{6: ',', 7: ';'} {
		if got := sniffSeparator([]byte(strings.Repeat("a;b\n", n) + strings.Repeat("c\n", 10-n))); got != want {
			t.Errorf("in %d of 10 lines: %q, want %q", n, got, want)
		}
	}
}

// Beside semicolons a tie, and one of three, is a decimal comma.
func TestDecimalByHand(t *testing.T) {
	for _, c := range []struct {
		cells string
		sep   byte
		want  byte
	}{
		{"1,5 2.5", ';', ','},
		{"1,5 2.5 3.5", ';', ','},
		{"1,5 2.5 3.5 4.5", ';', '.'},
		{"1,5 2.5", '\t', '.'},
		{"1,5 2,5 3.5", '\t', ','},
	} {
		if got := sniffDecimal([][]string{strings.Fields(c.cells)}, c.sep); got != c.want {
			t.Errorf("%s: %q, want %q", c.cells, got, c.want)
		}
	}
}

// Three whole numbers in a row are a numbering, two are not; a column that one row
// of twenty fills is nearly empty, two are not.
func TestHeaderByHand(t *testing.T) {
	for names, want := range map[string]bool{"2000 2001": false, "2000 2001 2002": true, "2000 2001 2003": false, "id 1 2 3": true} {
		if got := running(strings.Fields(names)); got != want {
			t.Errorf("%s: a numbering %v", names, got)
		}
	}
	for filled, want := range map[int]bool{0: true, 1: true, 2: false, 10: false} {
		body := make([][]string, 20)
		for i := range body {
			if body[i] = []string{""}; i < filled {
				body[i][0] = "x"
			}
		}
		if got := nearlyEmpty(body, 0); got != want {
			t.Errorf("%d of 20: nearly empty %v", filled, got)
		}
	}
}

// Of a column with more values than are kept, marks of missing values are not its least.
func TestLeastWithoutMarks(t *testing.T) {
	for _, c := range []struct {
		mark float64
		text string
		want float64
	}{{-9, "-9", 0}, {-5, "-5", -5}} {
		v := &value{traits: traits{x: c.mark, bits: isNumber | isWhole}, n: 3}
		col := &Column{full: true, Rows: 1000, Numbers: 1000, Whole: 1000, negatives: 3, least: c.mark, most: 900, plain: 900, sample: map[string]*value{c.text: v}}
		if got := col.figures(map[string]bool{c.text: true}).least; got != c.want {
			t.Errorf("%s: the least value is %v, want %v", c.text, got, c.want)
		}
	}
}

// A row that is the header once more is none of the records where at least half of the columns
// hold numbers below it, for then it cannot be one; elsewhere it may be.
func TestHeaderOnceMore(t *testing.T) {
	for _, c := range []struct {
		rows [][]string
		left int
	}{
		{[][]string{{"a", "b"}, {"1", "2"}, {"a", "b"}, {"3", "4"}}, 2},
		{[][]string{{"a", "b"}, {"1", "x"}, {"a", "b"}, {"3", "y"}}, 2},
		{[][]string{{"a", "b", "c"}, {"1", "x", "z"}, {"a", "b", "c"}, {"3", "y", "z"}}, 3},
		{[][]string{{"a", "b"}, {"v", "x"}, {"a", "b"}, {"w", "y"}}, 3},
		{[][]string{{"1", "2"}, {"1", "2"}, {"3", "4"}}, 2}, // numbers are no names: the same row again
	} {
		if got := otherRows(c.rows, '.'); len(got) != c.left {
			t.Errorf("%v: %d rows are left, want %d", c.rows, len(got), c.left)
		}
	}
}

// Columns that are named one by one are one list, as columns are that a pattern names.
func TestNamedListOfColumns(t *testing.T) {
	text := "patient,main,other,note\n" + strings.Repeat("7,4280,4019,x\n7,4019,25000,x\n8,25000,4280,y\n", 20)
	for _, code := range []string{"main,other", "m*,oth?r"} {
		o := Options{Code: code, Coded: codes.Evidence}
		p, err := Survey(t.Context(), source.Bytes("t.csv", []byte(text)), o)
		if err != nil {
			t.Fatal(err)
		}
		shape, why := p.Classify(o)
		o.Shape = shape
		pl, err := makePlan(p, o)
		if err != nil || shape != List || len(pl.features) != 2 || !strings.Contains(why, "wide list") {
			t.Errorf("%s: %s %s, %+v (%v)", code, shape, why, pl, err)
		}
	}
}
