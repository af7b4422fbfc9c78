package mtx

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/internal/read/source"
)

// IsSide reports whether a file of this name tells about a matrix beside it:
// names of cells and genes as sequencers write them, or names of columns and
// rows as moiety does.
func IsSide(base string) bool {
	base = strings.ToLower(base)
	for _, end := range []string{"barcodes.tsv", "features.tsv", "genes.tsv", ".mtx.columns", ".mtx.rows"} {
		if strings.HasSuffix(base, end) {
			return true
		}
	}
	return false
}

// list is a file of names.
type list struct {
	name   string
	names  []string
	titles map[string]string
}

// beside is what the files beside a matrix say.
type beside struct {
	features, records *list
	transpose         bool
}

// findNames finds names for a matrix: those of the options, else the files
// beside it. Files of cells and genes also show which way the matrix lies.
func (r *reader) findNames(ctx context.Context, in source.Input, h header) (b beside, err error) {
	b.transpose = r.o.Transpose
	read := func(in source.Input, ok bool, most int) *list {
		if !ok || err != nil {
			return nil
		}
		var l *list
		l, err = r.list(ctx, in, most)
		return l
	}
	named := func(path string, most int) *list {
		if path == "" || err != nil {
			return nil
		}
		var f source.Input
		f, err = source.File(path)
		return read(f, err == nil, most)
	}
	b.features = named(r.o.NamesFile, max(h.rows, h.cols))
	b.records = named(r.o.IDsFile, max(h.rows, h.cols))
	if b.features != nil || b.records != nil || err != nil {
		return b, err
	}
	base := in.Base()
	if prefix, ok := strings.CutSuffix(base, "matrix.mtx"); ok {
		genes, ok := in.Beside(prefix+"features.tsv", prefix+"genes.tsv")
		g := read(genes, ok, h.rows+h.cols)
		cells, ok := in.Beside(prefix + "barcodes.tsv")
		c := read(cells, ok, h.rows+h.cols)
		if err != nil || g == nil || c == nil {
			return b, err
		}
		switch {
		case !r.o.Transpose && len(g.names) == h.rows && len(c.names) == h.cols:
			b.transpose = true
			r.p.Note("%s lies on its side: %s names its %d rows and %s its %d columns, so the columns are the records",
				in.Name, g.name, h.rows, c.name, h.cols)
		case len(g.names) == h.cols && len(c.names) == h.rows && !r.o.Transpose, len(g.names) == h.rows && len(c.names) == h.cols:
		default:
			r.p.Aside("%s names %d and %s %d, which does not fit a matrix of %d × %d: names are left out",
				g.name, len(g.names), c.name, len(c.names), h.rows, h.cols)
			return b, nil
		}
		b.features, b.records = g, c
		return b, nil
	}
	columns, ok := in.Beside(base + ".columns")
	if c := read(columns, ok && !r.o.Transpose, h.cols); c != nil && len(c.names) == h.cols {
		b.features = c
	}
	rows, ok := in.Beside(base + ".rows")
	if c := read(rows, ok && !r.o.Transpose && len(r.inputs) == 1, h.rows); c != nil && len(c.names) == h.rows {
		b.records = c
	}
	return b, err
}

// list reads a file of names; it stops one behind the number expected.
func (r *reader) list(ctx context.Context, in source.Input, want int) (*list, error) {
	text, err := in.Text(ctx, r.p)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	l := &list{name: in.Name}
	ours := strings.HasSuffix(in.Base(), ".columns") || strings.HasSuffix(in.Base(), ".rows")
	lines := bufio.NewScanner(text)
	for len(l.names) <= want && lines.Scan() {
		fields := strings.Split(strings.TrimRight(lines.Text(), "\r"), "\t")
		if len(fields) > 1 && fields[1] != fields[0] {
			if l.titles == nil {
				l.titles = make(map[string]string)
			}
			l.titles[fields[0]] = fields[1]
		}
		if ours {
			fields[0] = cells.Unline(fields[0])
		}
		l.names = append(l.names, fields[0])
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: line %d: %w", in.Name, len(l.names)+1, err)
	}
	return l, nil
}
