package texts

import (
	"context"
	"io"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// readLines reads one document a line.
func (r *reader) readLines(ctx context.Context, b *batcher) error {
	for _, in := range r.inputs {
		if err := r.readLineFile(ctx, in, b); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) readLineFile(ctx context.Context, in source.Input, b *batcher) error {
	p := new(record.Problems)
	text, err := in.Text(ctx, p)
	if err != nil {
		return err
	}
	defer text.Close()
	cutter := source.NewCutter(in.Name, text, 0, int(min(r.o.MaxText, source.MaxLine)))
	for {
		ch, err := cutter.Next()
		if err == io.EOF {
			text.Close()
			r.report(p)
			return nil
		}
		if err != nil {
			return err
		}
		if err := r.chunk(in.Name, string(ch.Data), ch.Line, b); err != nil {
			return err
		}
		ch.Release()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// chunk reads the lines of one chunk; blank lines are no documents, and have numbers all the
// same.
func (r *reader) chunk(file, data string, line int, b *batcher) error {
	for ; data != ""; line++ {
		text, rest, _ := strings.Cut(data, "\n")
		data = rest
		text = strings.TrimSuffix(text, "\r")
		if strings.TrimSpace(text) == "" {
			b.leaveOut()
			continue
		}
		if err := r.line(file, line, text, b); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) line(file string, line int, text string, b *batcher) error {
	switch r.o.Layout {
	case IDText:
		id, body, ok := strings.Cut(text, "\t")
		if !ok || strings.TrimSpace(id) == "" {
			return r.malformed(file, line, text, `no id: a line is "id<TAB>text"`)
		}
		return b.add(strings.TrimSpace(id), body)
	case Mallet:
		id, rest := word(text)
		label, body := word(rest)
		if label == "" {
			return r.malformed(file, line, text, `a line is "id label text"`)
		}
		return b.add(id, body, label)
	case FastText:
		labels, body := labelled(text)
		return b.add("", body, labels)
	default:
		return b.add("", text)
	}
}

// LabelMark begins a label in files of fastText.
const LabelMark = "__label__"

// labelled cuts the labels off a text.
func labelled(text string) (labels, body string) {
	var found []string
	for body = text; ; {
		first, rest := word(body)
		label, ok := strings.CutPrefix(first, LabelMark)
		if !ok {
			return strings.Join(found, " "), body
		}
		found, body = append(found, label), rest
	}
}

// word cuts the first word off.
func word(s string) (first, rest string) {
	s = strings.TrimLeft(s, " \t")
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimLeft(s[i:], " \t")
}

func (r *reader) malformed(file string, line int, text, msg string) error {
	if r.reported {
		return nil
	}
	return r.p.Malformed(&record.ParseError{File: file, Line: line, Text: text, Msg: msg})
}
