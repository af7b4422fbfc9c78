package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/cells"
)

// writeUCI writes docword and vocab files.
func writeUCI(ctx context.Context, t *table) error {
	n, err := t.count(ctx, true)
	if err != nil {
		return err
	}
	base := filepath.Base(t.to.path)
	vocab := "vocab." + strings.TrimPrefix(base, "docword.")
	if !strings.HasSuffix(vocab, ".txt") {
		vocab += ".txt"
	}
	if err := t.names(ctx, beside(t.to.path, vocab)); err != nil {
		return err
	}
	fmt.Fprintf(t.main, "%d\n%d\n%d"+markUCI, t.p.Len(), t.p.Vocab().Len(), n)
	t.notes = append(t.notes, "Ids and side columns have no place in this format; documents are numbered from 1.")
	return t.rows(ctx, func(i int, r row) error {
		for e, h := range r.index {
			if r.value[e] != 0 {
				if _, err := fmt.Fprintf(t.main, "%d %d %s\n", i+1, h+1, number(r.value[e])); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// writeMTX writes Matrix Market coordinates, and the names of columns and rows.
func writeMTX(ctx context.Context, t *table) error {
	n, err := t.count(ctx, false)
	if err != nil {
		return err
	}
	if err := t.names(ctx, t.to.path+".columns"); err != nil {
		return err
	}
	ids, err := t.side(ctx, t.to.path+".rows")
	if err != nil {
		return err
	}
	field := "real"
	if _, err := t.count(ctx, true); err == nil {
		field = "integer"
	}
	fmt.Fprintf(t.main, "%%%%MatrixMarket matrix coordinate %s general\n%s%d %d %d\n", field, markMTX, t.p.Len(), t.p.Vocab().Len(), n)
	t.notes = append(t.notes, "Names and ids are in the files beside it, where moiety finds them; side columns have no place in this format.")
	return t.rows(ctx, func(i int, r row) error {
		if _, err := ids.WriteString(cells.Line(r.id) + "\n"); err != nil {
			return err
		}
		for e, h := range r.index {
			if r.value[e] != 0 {
				if _, err := fmt.Fprintf(t.main, "%d %d %s\n", i+1, h+1, number(r.value[e])); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// writeSVMlight writes a label and index:value pairs a line. The label is the
// side column of that name, or the only one there is, if it is a number.
func writeSVMlight(ctx context.Context, t *table) error {
	if _, err := t.count(ctx, false); err != nil {
		return err
	}
	if err := t.names(ctx, t.to.path+".columns"); err != nil {
		return err
	}
	if _, err := io.WriteString(t.main, markSVMlight); err != nil {
		return err
	}
	label := -1
	for i, name := range t.p.Side() {
		if name == "label" || len(t.p.Side()) == 1 {
			label = i
		}
	}
	t.notes = append(t.notes, "Names are in the file beside it, ids in remarks, where moiety finds them.")
	return t.rows(ctx, func(_ int, r row) error {
		text := "0"
		if label >= 0 {
			if _, err := strconv.ParseFloat(r.side[label], 64); err == nil {
				text = r.side[label]
			}
		}
		var b strings.Builder
		b.WriteString(text)
		for e, h := range r.index {
			if r.value[e] != 0 {
				fmt.Fprintf(&b, " %d:%s", h+1, number(r.value[e]))
			}
		}
		fmt.Fprintf(&b, " # %s\n", cells.Line(r.id))
		_, err := io.WriteString(t.main, b.String())
		return err
	})
}
