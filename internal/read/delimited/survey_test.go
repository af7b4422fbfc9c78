package delimited

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
)

// A survey of several files, in chunks of any size and on any number of cores,
// tells what one core tells of one file.
func TestSurveyTwin(t *testing.T) {
	var a, b, all strings.Builder
	a.WriteString("x,y,z\n")
	b.WriteString("z,x,y\n")
	all.WriteString("x,y,z\n")
	for i := range 3000 {
		x, y, z := fmt.Sprint(i%7), fmt.Sprintf("%d.%02d", i%90, i%97), []string{"red", "blue", "NA", "green"}[i%4]
		if i == 2500 {
			x = "many"
		}
		fmt.Fprintf(&all, "%s,%s,%s\n", x, y, z)
		if i < 1500 {
			fmt.Fprintf(&a, "%s,%s,%s\n", x, y, z)
		} else {
			fmt.Fprintf(&b, "%s,%s,%s\n", z, x, y)
		}
	}
	profile := func(o Options, texts ...string) *Profile {
		var in []source.Input
		for i, text := range texts {
			in = append(in, source.Bytes(fmt.Sprintf("t%d", i), []byte(text)))
		}
		p, err := Survey(context.Background(), in[0], o)
		if err != nil {
			t.Fatal(err)
		}
		p.Complete = false // look again
		if p, err = p.Survey(context.Background(), in, o); err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := profile(Options{Workers: 1}, all.String())
	for _, o := range []Options{{Workers: 1, ChunkSize: 64}, {Workers: 8, ChunkSize: 4096}} {
		got := profile(o, a.String(), b.String())
		if got.Rows != want.Rows || !reflect.DeepEqual(plainKinds(got), plainKinds(want)) {
			t.Errorf("%d rows, want %d; kinds %v, want %v", got.Rows, want.Rows, plainKinds(got), plainKinds(want))
		}
		for i := range want.Columns {
			g, w := got.Columns[i], want.Columns[i]
			if g.Rows != w.Rows || g.Missing != w.Missing || g.Numbers != w.Numbers || g.Whole != w.Whole || g.Distinct != w.Distinct || g.least != w.least || g.most != w.most {
				t.Errorf("column %s: %+v, want %+v", w.Name, g, w)
			}
		}
	}
	if c := want.Columns[0]; c.Rows != 3000 || c.Numbers != 2999 || c.value("many").n != 1 || c.value("many").at.line != 2502 {
		t.Errorf("column x: %+v", c)
	}
}

func plainKinds(p *Profile) []string {
	var out []string
	for _, k := range p.judge() {
		out = append(out, fmt.Sprint(k.kind, k.fits, k.answers, k.odd, k.marks))
	}
	return out
}

// The bounds of the rules for columns, on both sides.
func TestKindBounds(t *testing.T) {
	for _, c := range []struct{ cells, want string }{
		{"1*3 2*3", "categorical"}, // answers
		{"1*2 2*2", "real"},        // too few to tell
		{"1*3 2*3 3*3 4*3 5*3 6*3 7*3 8*3 9*3 10*3", "categorical"}, // ten answers
		{"1*3 2*3 3*3 4*3 5*3 6*3 7*3 8*3 9*3 10*3 11*3", "real"},   // eleven are a scale
		{"1*9 2*9 4*9", "real"}, // a gap
		{"0*9 1*9", "presence"},
		{"0*9 1*9 2*1", "counts"},
		{"0*1 1*9 2*9", "counts"},        // from 0
		{"0*1 25*9 26*9 27*9", "counts"}, // a few levels with a 0
		{"0.5*9 1.5*9", "real"},
		{"-1*9 1*9 2*9", "real"},
		{"-9*1 1*9 2*9", "categorical"}, // -9 is a mark
		{"-9*9 1*4 2*4", "real"},        // more marks than values are none
		{"1*16 2*16 3*16 maybe*1", "categorical"},
		{"0*16 1*16 7*16 maybe*1", "counts"}, // few words among numbers
		{"y*9 n*9", "presence"},
		{"y*9 f*9", "categorical"},
		{"t*9 f*9", "presence"},
		{"si*9 no*9", "presence"},
		{"0*9 1*9 N*3", "presence"},
		{"y*9 n*9 0*1", "categorical"},
	} {
		// A value below its like is counted as one that comes later.
		col, other := newColumns([]string{"c"})[0], newColumns([]string{"c"})[0]
		for _, f := range strings.Fields(c.cells) {
			text, n, _ := strings.Cut(f, "*")
			var times int
			fmt.Sscan(n, &times)
			for i := range times {
				col.add([]byte(text), dialect{decimal: '.'}, 100, spot{}, i > 0)
				other.add([]byte(text), dialect{decimal: '.'}, 100, spot{}, false)
			}
		}
		if col.before, other.before = nil, nil; !reflect.DeepEqual(col, other) {
			t.Errorf("%s: %+v where runs are known, %+v otherwise", c.cells, col, other)
		}
		col.flush()
		p := &Profile{Columns: []Column{col}}
		if got := p.judge()[0]; got.kind.String() != c.want || !got.fits {
			t.Errorf("%s: %v, fits %v; want %s", c.cells, got.kind, got.fits, c.want)
		}
	}
}

// What the first rows tell does not depend on how many cores look at them.
func TestLookOnAllCores(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,code,date,dose,note\n")
	for i := range 400 {
		fmt.Fprintf(&text, "p%d,C%02d,2010-01-%02d,%d mg,\n", i/3, i*7%60, 1+i%28, i%5)
		if i%50 == 0 {
			text.WriteString("p,C01\nTotal\n")
		}
	}
	look := func(workers int) *Profile {
		p, err := Survey(t.Context(), source.Bytes("t", []byte(text.String())), Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := look(1)
	if want.Rows == 0 || want.Ragged == 0 {
		t.Fatalf("%d rows, %d of another width", want.Rows, want.Ragged)
	}
	for _, workers := range []int{2, 3, 16} {
		if got := look(workers); !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: %+v, want %+v", workers, got, want)
		}
	}
}

// Of a column of measurements few of the different values are kept, the same number by any
// number of workers, and of a column of ids all.
func TestFewFractionsAreKept(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,weight\n")
	for i := range 3 * fractionLimit {
		fmt.Fprintf(&text, "%d,%d.5\n", 1000+i, i)
	}
	for _, workers := range []int{1, 2, 3, 16} {
		p, err := Survey(t.Context(), source.Bytes("t", []byte(text.String())), Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		id, weight := &p.Columns[0], &p.Columns[1]
		if id.full || id.Distinct != 3*fractionLimit || !weight.full || weight.Distinct != fractionLimit || weight.Numbers != 3*fractionLimit {
			t.Errorf("%d workers: %d ids (full %v), %d weights (full %v) of %d", workers, id.Distinct, id.full, weight.Distinct, weight.full, weight.Numbers)
		}
	}
}
