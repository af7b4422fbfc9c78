package read

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// alleles is a table whose loci hold two names of alleles each: letters in one cell
// (A/G), or whole numbers in two columns or in two rows of one individual. It becomes
// a table of copies: a column for each allele but the most common one of its locus,
// which for two alleles is the 0, 1 or 2 of other files.
type alleles struct {
	in   source.Input
	sep  rune // 0: blanks
	skip int  // lines above the first individual
	rows int  // of an individual
	// columns of the first row that are no loci, and where each locus begins
	plain []string
	loci  []locus
	at    []int // of the plain columns
	of    func(rows [][]string, at int) (a, b string, ok bool)
	sure  bool // what does not fit is an error, not another kind of table
}

// locus is a place of the genome with what is known of its alleles.
type locus struct {
	name    string
	at      int
	copies  map[string]int
	odd     bool     // a cell is no genotype
	counted []string // alleles that are counted, in their order
}

// mostAlleles of a locus: with more the numbers are no alleles.
const mostAlleles = 100

// errNoLoci says that a table is to be read as any other.
var errNoLoci = errors.New("no table of alleles")

// asCopies turns a table of alleles into one of copies, where the cells say so.
func asCopies(ctx context.Context, inputs []source.Input, o Options, p *record.Problems) ([]source.Input, Options, error) {
	if len(inputs) != 1 || len(o.Columns) > 0 || o.Freq != "" || o.Transpose {
		return inputs, o, nil
	}
	if _, packed, err := contained(ctx, inputs[0]); packed || err != nil {
		return inputs, o, nil // whoever opens it says what is wrong
	}
	lines, err := topLines(ctx, inputs[0])
	if err != nil || len(lines) < leastIndividuals {
		return inputs, o, nil
	}
	a, says, other := structureOf(inputs[0], lines), "looks like genotypes as STRUCTURE reads them", "as a table of numbers: --format mixed"
	if a == nil {
		a, says, other = lettersOf(inputs[0], lines), "looks like genotypes in letters", "as answers: --format categorical"
	}
	if a == nil {
		return inputs, o, nil
	}
	if a.in, err = inputs[0].Reusable(ctx); err != nil {
		return nil, o, err
	}
	ids, err := a.tally(ctx)
	switch {
	case errors.Is(err, errNoLoci):
		return []source.Input{a.in}, o, nil
	case err != nil:
		return nil, o, err
	}
	n, columns := a.choose(o)
	if n < leastLoci {
		return []source.Input{a.in}, o, nil
	}
	p.Note("%s %s: %s, and copies of every allele but the most common one of each are counted (%s); %s", a.in.Name, says, record.Several(n, "locus", "loci"), columns, other)
	o = wideOptions(o)
	if o.Like == nil {
		o.Format = "genotypes"
	}
	for _, name := range a.plain {
		switch {
		case o.ID == "" && name == ids:
			o.ID = name
		case name != o.ID && name != o.Time && !slices.Contains(o.Label, name):
			o.Label = append(slices.Clip(o.Label), name)
		}
	}
	return []source.Input{source.Made(a.in, a.write)}, o, nil
}

// topLines are the first lines of a file, more of them where they are long.
func topLines(ctx context.Context, in source.Input) ([]string, error) {
	const more = 4 << 20
	lines, whole, err := in.Lines(ctx, sniffBytes)
	if err == nil && len(lines) < countedLines && !whole {
		lines, _, err = in.Lines(ctx, more)
	}
	return lines, err
}

// each hands the rows of every individual over; number is that of its first line
// among those with content.
func (a *alleles) each(ctx context.Context, yield func(number int, rows [][]string) error) error {
	text, err := a.in.Text(ctx, nil)
	if err != nil {
		return err
	}
	defer text.Close()
	next := rowsOf(text, a.sep)
	rows := make([][]string, 0, a.rows)
	for number := 1; ; number++ {
		row, err := next()
		switch {
		case err == io.EOF && len(rows) > 0:
			return a.wrong(number-1, "individual %q has one row where two are wanted", rows[0][0])
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case number <= a.skip:
			continue
		}
		if rows = append(rows, slices.Clone(row)); len(rows) < a.rows {
			continue
		}
		if err := yield(number+1-a.rows, rows); err != nil {
			return err
		}
		rows = rows[:0]
	}
}

// rowsOf returns the cells of one row after the other.
func rowsOf(text io.Reader, sep rune) func() ([]string, error) {
	if sep != 0 {
		c := csv.NewReader(text)
		c.Comma, c.LazyQuotes, c.FieldsPerRecord, c.ReuseRecord = sep, true, -1, true
		return func() ([]string, error) {
			row, err := c.Read()
			if bad := new(csv.ParseError); errors.As(err, &bad) {
				return nil, errNoLoci
			}
			return row, err
		}
	}
	b := bufio.NewReaderSize(text, sniffBytes)
	return func() ([]string, error) {
		for {
			line, err := b.ReadString('\n')
			if f := strings.Fields(line); len(f) > 0 {
				return f, nil
			}
			if err != nil {
				return nil, err
			}
		}
	}
}

// wrong is what does not fit: an error where the file is a table of alleles beyond
// doubt.
func (a *alleles) wrong(number int, format string, args ...any) error {
	if !a.sure {
		return errNoLoci
	}
	return &record.ParseError{File: a.in.Name, Line: number, Msg: fmt.Sprintf(format, args...)}
}

// tally counts the alleles of all individuals, and returns the first plain column
// that names every one differently.
func (a *alleles) tally(ctx context.Context) (id string, err error) {
	for i := range a.loci {
		a.loci[i].copies = map[string]int{}
	}
	seen := make([]map[string]bool, len(a.plain))
	for i := range seen {
		seen[i] = map[string]bool{}
	}
	n := 0
	err = a.each(ctx, func(number int, rows [][]string) error {
		if err := a.fits(number, rows); err != nil {
			return err
		}
		n++
		for i, at := range a.at {
			if len(seen[i]) == n-1 {
				seen[i][rows[0][at]] = true
			}
		}
		for i := range a.loci {
			l := &a.loci[i]
			x, y, ok := a.of(rows, l.at)
			if l.odd = l.odd || !ok || len(l.copies) > mostAlleles; !l.odd && x != "" {
				l.copies[x]++
				l.copies[y]++
			}
		}
		return nil
	})
	for i, s := range seen {
		if len(s) == n {
			return a.plain[i], err
		}
	}
	return "", err
}

// fits checks the widths of rows and whose they are.
func (a *alleles) fits(number int, rows [][]string) error {
	last := a.loci[len(a.loci)-1].at
	if n := len(a.at); n > 0 {
		last = max(last, a.at[n-1])
	}
	for i, row := range rows {
		if len(row) <= last {
			return a.wrong(number+i, "%d cells where %d are wanted", len(row), last+1)
		}
		if row[0] != rows[0][0] && i > 0 {
			return a.wrong(number+i, "a row of %q where the second row of %q is wanted", row[0], rows[0][0])
		}
	}
	return nil
}

// choose decides which alleles are counted: those of the run whose model is to be
// used, or all but the most common. It returns the number of loci with such and the
// name of a column. Columns that are no loci after all stay what they are.
func (a *alleles) choose(o Options) (n int, column string) {
	known := map[string][]string{}
	if o.Like != nil {
		for name := range o.Like.Kinds {
			if cut := strings.LastIndexByte(name, '_'); cut > 0 {
				known[name[:cut]] = append(known[name[:cut]], name[cut+1:])
			}
		}
	}
	for i := range a.loci {
		l := &a.loci[i]
		if l.odd {
			a.plain, a.at = append(a.plain, l.name), append(a.at, l.at)
			continue
		}
		if l.counted = known[l.name]; len(l.counted) == 0 {
			l.counted = rarer(l.copies)
		}
		slices.Sort(l.counted)
		if len(l.counted) > 0 {
			if n++; n == 1 {
				column = l.column(0)
			}
		}
	}
	a.loci = slices.DeleteFunc(a.loci, func(l locus) bool { return l.odd })
	return n, column
}

// rarer are the alleles but the most common one; of equals the first stays out.
func rarer(copies map[string]int) []string {
	var all []string
	for name := range copies {
		all = append(all, name)
	}
	slices.Sort(all)
	most := 0
	for i, name := range all {
		if copies[name] > copies[all[most]] {
			most = i
		}
	}
	if len(all) == 0 {
		return nil
	}
	return slices.Delete(all, most, most+1)
}

func (l *locus) column(i int) string { return l.name + "_" + l.counted[i] }

// write writes the table of copies.
func (a *alleles) write(ctx context.Context, w io.Writer) error {
	head := slices.Clone(a.plain)
	for i := range a.loci {
		for j := range a.loci[i].counted {
			head = append(head, a.loci[i].column(j))
		}
	}
	if _, err := w.Write(source.Row(nil, head)); err != nil {
		return err
	}
	var line []byte
	return a.each(ctx, func(_ int, rows [][]string) error {
		cells := head[:0:len(head)]
		for _, at := range a.at {
			cells = append(cells, rows[0][at])
		}
		for i := range a.loci {
			x, y, _ := a.of(rows, a.loci[i].at)
			for _, counted := range a.loci[i].counted {
				cells = append(cells, copiesOf(counted, x, y))
			}
		}
		line = source.Row(line[:0], cells)
		_, err := w.Write(line)
		return err
	})
}

// copiesOf is the cell of an allele; what is missing is empty.
func copiesOf(allele, x, y string) string {
	if x == "" {
		return ""
	}
	n := 0
	for _, a := range []string{x, y} {
		if a == allele {
			n++
		}
	}
	return strconv.Itoa(n)
}
