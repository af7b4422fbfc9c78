package read

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/delimited"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Copies are counted by hand: of each locus the allele that is rarer, and where it
// has three alleles the two that are.
func TestCopies(t *testing.T) {
	text := "L1 L2\n"
	for i, pair := range []string{"1 1 5 5", "1 2 5 6", "2 2 6 7", "1 1 -9 5", "1 1 5 5", "1 2 5 5", "1 1 7 5"} {
		f := strings.Fields(pair)
		text += fmt.Sprintf("a%d %s %s\na%d %s %s\n", i, f[0], f[2], i, f[1], f[3])
	}
	in := source.Bytes("x.str", []byte(text))
	lines, _, _ := in.Lines(context.Background(), sniffBytes)
	a := structureOf(in, lines)
	if a == nil {
		t.Fatal("not recognised")
	}
	if _, err := a.tally(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n, first := a.choose(Options{}); n != 2 || first != "L1_2" {
		t.Fatalf("%d loci, %s", n, first)
	}
	var b strings.Builder
	if err := a.write(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	want := "individual,L1_2,L2_6,L2_7\na0,0,0,0\na1,1,1,0\na2,2,1,1\na3,0,,\na4,0,0,0\na5,1,0,0\na6,0,0,1\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// New individuals are counted by the alleles that the model knows, whichever is the
// rarer among them.
func TestCopiesLikeTheRun(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,rs1,rs2,rs3\n")
	for i := range 12 {
		fmt.Fprintf(&b, "p%d,%s,%s,%s\n", i, pick3(i, "GG", "GG", "AG"), pick3(i, "CC", "CT"), pick3(i, "TT", "TT", "AT"))
	}
	like := &delimited.Like{Shape: delimited.Genotypes, Kinds: map[string]record.Kind{"rs1_G": record.Counts, "rs2_C": record.Counts, "rs3_T": record.Counts}}
	got, err := open(t, Options{Like: like}, source.Bytes("new.csv", []byte(b.String())))
	if err != nil {
		t.Fatal(err)
	}
	if got.rows[0] != "p0||rs1_G=2 rs2_C=2 rs3_T=2" {
		t.Errorf("the first is %q", got.rows[0])
	}
}

// A table on its side that is too large to be held gives the records of one that is
// turned round.
func TestLargeTurned(t *testing.T) {
	ctx := context.Background()
	text := "gene,a,b,c,d,notes\n" + of(20, func(i int) string { return fmt.Sprintf("g%d,%d,%d,0,%d,about", i, i%3, i*i%4, i%5) })
	in := source.Bytes("x.csv", []byte(text))
	p := new(record.Problems)
	s, err := openLarge(ctx, in, Options{large: &turnable{form: counted, sep: ','}}, p)
	if err != nil {
		t.Fatal(err)
	}
	large := ""
	sum := func(s record.Source, to *string) func(*record.Batch) error {
		return func(b *record.Batch) error {
			for i := range b.N() {
				*to += b.IDs[i] + ":"
				for e := b.Ptr[i]; e < b.Ptr[i+1]; e++ {
					*to += fmt.Sprintf(" %s=%g", s.Schema().Dict.Name(b.Feature[e]), b.At(e))
				}
				*to += "\n"
			}
			return nil
		}
	}
	if err := s.Read(ctx, sum(s, &large)); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(text), "\n")
	want := ""
	for j, id := range []string{"a", "b", "c", "d"} {
		want += id + ":"
		for _, row := range rows[1:] {
			if f := strings.Split(row, ","); f[j+1] != "0" {
				want += " " + f[0] + "=" + f[j+1]
			}
		}
		want += "\n"
	}
	if large != want || s.Schema().Kind != record.Counts {
		t.Errorf("%v\n%s\nwant\n%s", s.Schema().Kind, large, want)
	}
	bad := source.Bytes("x.csv", []byte(text+"g20,1,high,2,3,about\n"))
	s, err = openLarge(ctx, bad, Options{large: &turnable{form: counted, sep: ','}}, p)
	if err == nil {
		err = s.Read(ctx, func(*record.Batch) error { return nil })
	}
	if !source.Unreadable(err) || !strings.Contains(err.Error(), "x.csv:22:3: not a number") {
		t.Errorf("a word: %v", err)
	}
}

// Counts of words, three numbers a line below three lines of one, are no alleles: they
// would be read twice.
func TestDocwordIsNoStructure(t *testing.T) {
	text := "4\n9\n12\n"
	for i := range 12 {
		text += fmt.Sprintf("%d %d %d\n", 1+i/3, 1+i%9, 1+i%2)
	}
	in := source.Bytes("docword.x.txt", []byte(text))
	lines, _, _ := in.Lines(context.Background(), sniffBytes)
	if a := structureOf(in, lines); a != nil {
		t.Errorf("taken for %d loci", len(a.loci))
	}
}
