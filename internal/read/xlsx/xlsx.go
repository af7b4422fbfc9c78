// Package xlsx reads workbooks of Excel: one sheet as a table of text, which
// then has the same kinds and words as any table.
//
// It takes opened inputs. Dates are written as dates, numbers as they are
// stored, numbers shown with leading zeros with these zeros; formulas give the
// value they had when the workbook was saved. A sheet is read cell by cell, so
// memory does not grow with it; only texts, which the format keeps apart, are
// held.
//
// Step in the flow: source -> read/xlsx -> read/delimited. It must not know
// what a column means.
package xlsx

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/suggest"
	"github.com/moiety-go/moiety/record"
)

// Bounds of what is believed.
const (
	maxColumns = 1 << 14   // what Excel has
	maxRows    = 1 << 20   // the same
	maxPart    = 4 << 30   // bytes of a sheet, unpacked
	maxTexts   = 512 << 20 // bytes of all texts
	maxSheets  = 1 << 12
)

// Book is an open workbook.
type Book struct {
	in        source.Input
	parts     map[string]*zip.File
	sheets    []sheet
	texts     []string
	styles    []style
	epoch1904 bool
}

type sheet struct{ name, part string }

// Is reports whether an archive is a workbook.
func Is(z *zip.Reader) bool {
	for _, f := range z.File {
		if f.Name == "xl/workbook.xml" {
			return true
		}
	}
	return false
}

// Open reads all of a workbook but its sheets.
func Open(ctx context.Context, in source.Input) (*Book, error) {
	raw, err := in.Seek(ctx)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(raw, raw.Size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", in.Name, source.ErrDamaged, source.Damage(err))
	}
	b := &Book{in: in, parts: make(map[string]*zip.File)}
	for _, f := range z.File {
		b.parts[strings.ToLower(f.Name)] = f
	}
	for _, read := range []func(context.Context) error{b.readSheets, b.readStyles, b.readTexts} {
		if err := read(ctx); err != nil {
			return nil, err
		}
	}
	if len(b.sheets) == 0 {
		return nil, fmt.Errorf("%s: the workbook has no sheet: %w", in.Name, source.ErrEmpty)
	}
	return b, nil
}

// Sheets returns the names of the sheets.
func (b *Book) Sheets() []string {
	var out []string
	for _, s := range b.sheets {
		out = append(out, s.name)
	}
	return out
}

// each calls do for every tag of a part; a part that is not there is passed by.
func (b *Book) each(ctx context.Context, name string, do func(*tag) error) error {
	f := b.parts[strings.ToLower(name)]
	if f == nil {
		return nil
	}
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("%s: %w: %w", b.in.Name, source.ErrDamaged, source.Damage(err))
	}
	defer r.Close()
	s := newScanner(io.LimitReader(r, maxPart))
	for n := 0; ; n++ {
		if n%(1<<12) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t, err := s.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w: %s: %w", b.in.Name, source.ErrDamaged, name, source.Damage(err))
		}
		if err := do(t); err != nil {
			return err
		}
	}
}

// readSheets lists the sheets in the order of the workbook.
func (b *Book) readSheets(ctx context.Context) error {
	targets := make(map[string]string)
	err := b.each(ctx, "xl/_rels/workbook.xml.rels", func(t *tag) error {
		if t.is("Relationship") {
			target := t.attr("Target")
			if !strings.HasPrefix(target, "/") {
				target = path.Join("xl", target)
			}
			targets[t.attr("Id")] = strings.TrimPrefix(target, "/")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return b.each(ctx, "xl/workbook.xml", func(t *tag) error {
		switch {
		case t.is("workbookPr"):
			v := t.attr("date1904")
			b.epoch1904 = v == "1" || v == "true"
		case t.is("sheet") && len(b.sheets) < maxSheets:
			if part := targets[t.attr("id")]; part != "" {
				b.sheets = append(b.sheets, sheet{t.attr("name"), part})
			}
		}
		return nil
	})
}

// readTexts reads the texts that cells refer to by number.
func (b *Book) readTexts(ctx context.Context) error {
	var text strings.Builder
	inText, phonetic, total := false, false, 0
	return b.each(ctx, "xl/sharedStrings.xml", func(t *tag) error {
		switch {
		case t.is("si"):
			text.Reset()
		case t.is("rPh"):
			phonetic = true
		case t.isEnd("rPh"):
			phonetic = false
		case t.is("t"):
			inText = !t.empty
		case t.isEnd("t"):
			if inText && !phonetic {
				text.Write(t.text)
			}
			inText = false
		case t.isEnd("si"):
			b.texts = append(b.texts, text.String())
			if total += text.Len() + 16; total > maxTexts {
				return fmt.Errorf("%s: %w: its texts take more than %d MB; save it as CSV", b.in.Name, source.ErrTooLarge, maxTexts>>20)
			}
		}
		return nil
	})
}

// find returns the sheet of that name, or the first one.
func (b *Book) find(name string) (sheet, error) {
	if name == "" {
		return b.sheets[0], nil
	}
	for _, s := range b.sheets {
		if strings.EqualFold(s.name, name) {
			return s, nil
		}
	}
	return sheet{}, record.NoColumn("%s has no sheet %q%s; it has %s", b.in.Name, name, suggest.Hint(name, b.Sheets()), strings.Join(b.Sheets(), ", "))
}
