package read

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/read/biom"
	"github.com/moiety-go/moiety/internal/read/jsonl"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// asLines turns JSON documents that go over a whole file into lines, one object
// each. Inputs of other kinds, recognised by the first one, stay as they are.
func asLines(ctx context.Context, inputs []source.Input, p *record.Problems) ([]source.Input, error) {
	whole, err := isWhole(ctx, inputs[0])
	if !whole || err != nil {
		return inputs, err
	}
	p.Note("%s is one JSON document; every object, row or text in it is a record", inputs[0].Name)
	out := slices.Clone(inputs)
	for i, in := range inputs {
		if i > 0 {
			if whole, err = isWhole(ctx, in); err != nil {
				return nil, err
			}
		}
		if !whole {
			continue
		}
		if out[i], err = jsonl.Lines(ctx, in); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isWhole looks at the start of an input, up to the end of its first line, for a JSON
// document: only what follows tells a long line from a document on one line. Errors of inputs
// that are no text are left to the reader that follows.
func isWhole(ctx context.Context, in source.Input) (bool, error) {
	const enough = 16
	start, err := in.Start(ctx, enough)
	if err != nil {
		return false, err
	}
	start = bytes.TrimPrefix(start, []byte("\xef\xbb\xbf"))
	if start = bytes.TrimLeft(start, " \t\r\n"); len(start) == 0 || start[0] != '[' && start[0] != '{' {
		return false, nil
	}
	for size := sniffBytes; ; size *= 4 {
		head, err := in.Head(ctx, size)
		if err != nil {
			return false, nil // reported by who reads it
		}
		if biom.Is(head) {
			return false, nil
		}
		complete := len(head) < size
		if complete || size >= source.MaxLine || start[0] == '[' || bytes.IndexByte(bytes.TrimSpace(head), '\n') >= 0 {
			return jsonl.IsWhole(head, complete), nil
		}
	}
}

// holdsTable recognises inputs whose table is not lines with separators.
func holdsTable(ctx context.Context, in source.Input) (Guess, bool, error) {
	g, ok, err := contained(ctx, in)
	if ok || err != nil {
		return g, ok, err
	}
	start, err := in.Start(ctx, 1)
	if err != nil || string(start) != "{" {
		return Guess{}, false, err
	}
	return Guess{Format: "jsonl", Reason: "looks like JSON lines"}, true, nil
}

// listSign is what stands between the parts of a list where a table may hold
// one: lists of symbols are sequences.
func (o Options) listSign() string {
	if o.Format == "sequences" {
		return ">"
	}
	return ""
}

// openJSONL reads objects with a text, tokens or counts; flat objects are a
// table.
func openJSONL(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	side := slices.Clone(o.Label)
	if o.Time != "" {
		side = append(side, o.Time)
	}
	if len(side) > 0 && o.Freq != "" {
		side = append(side, o.Freq)
	}
	if !isTable(o.Format) {
		s, err := jsonl.New(ctx, in, jsonl.Options{
			ID: o.ID, Text: o.Text, Tokens: o.Code, Side: side, AllSide: len(side) == 0, Workers: o.Workers,
		}, p)
		if !errors.Is(err, jsonl.ErrFlat) {
			return s, err
		}
	}
	tables, left, err := jsonl.Table(ctx, in, o.listSign(), p)
	if err != nil {
		return nil, err
	}
	if len(left) > 0 {
		p.Aside("fields that hold lists were left out: %s", strings.Join(left, ", "))
	}
	return openMade(ctx, tables, o, p)
}
