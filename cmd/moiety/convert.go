package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
)

// converters is the table format -> writer.
func converters() map[string]func(context.Context, *table) error {
	return map[string]func(context.Context, *table) error{
		"uci": writeUCI, "mtx": writeMTX, "svmlight": writeSVMlight,
		"jsonl": writeJSONL, "csv": writeCSV, "parquet": writeParquet,
	}
}

func (a *app) convertCommand() *cobra.Command {
	var r reading
	var e encoding
	var m machine
	var to, beside, idKey string
	var out target
	known := slices.Sorted(maps.Keys(converters()))
	c := &cobra.Command{
		Use:   "convert DATA... --to FORMAT -o FILE",
		Short: "Write data in another format",
		Long: `Reads data and writes them in another format. Codes stay as they are written
unless --rollup or --system is given, words stay all unless --stopwords is.

With --beside FILE the records of two sources become one table: codes of DATA and words
of the texts in FILE (which may be DATA again, with --text for its column of texts), joined
by id. Columns are code_... and word_..., so that

  moiety fit both.csv --model multiview --views 'code_*:word_*' -k 4

finds the groups that both show, and says whether they do. A record that one source lacks
has empty cells there.

With --id-key FILE ids are written as keyed hashes, sorted, and side columns are left out:
for sites that hold other codes of the same people, and somebody whom they trust to put
them together (docs/federated.md).`,
		Example: `  moiety convert claims.csv --to parquet -o claims.parquet
  moiety convert codes.csv --beside notes.csv --to csv -o both.csv
  moiety convert visits.csv --code 'dx*' --beside visits.csv --text note --to csv -o both.csv
  moiety convert clinic.csv --id-key ids.key --to csv -o clinic.hidden.csv`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := needData(c, args); err != nil {
				return err
			}
			if to == "" || out.path == "" {
				return misuse("write --to FORMAT and -o FILE; formats are %s", list(known))
			}
			if err := oneOf("to", to, known...); err != nil {
				return err
			}
			o := fit.Order{Args: args, Read: r.o, Now: time.Now}
			var err error
			if o.Encode, err = e.settings(); err != nil {
				return err
			}
			if o.Encode.Rollup == "" && o.Encode.System == "" {
				o.Encode.System, o.Encode.Counts = string(codes.None), true
			}
			if e.stopwords == "" {
				o.Encode.Stopwords = "none"
			}
			o.Encode.AllWords, o.Encode.KeepOrder, o.Encode.KeepUnused = true, true, true
			if err := m.apply(a, &o.Read, &o.Encode); err != nil {
				return err
			}
			if beside == "" {
				return a.convert(c.Context(), o, nil, idKey, to, out)
			}
			if idKey != "" {
				return misuse("--id-key hides the ids of one source, and --beside joins two by their ids: join first, or at the joiner")
			}
			if !slices.Contains([]string{"csv", "jsonl", "parquet"}, to) {
				return misuse("--beside makes a table with columns of two kinds: write it with --to csv, jsonl or parquet")
			}
			if o.Encode, err = e.settings(); err != nil { // as a fit would have it
				return err
			}
			if err := m.apply(a, &o.Read, &o.Encode); err != nil {
				return err
			}
			second := o
			second.Args = []string{beside}
			o.Read.Text = ""
			second.Read.Format, second.Read.Code, second.Read.Count, second.Read.Columns = "", "", "", nil
			return a.convert(c.Context(), o, &second, "", to, out)
		},
	}
	c.Flags().StringVar(&to, "to", "", "format to write: "+list(known))
	complete(c, "to", known...)
	c.Flags().StringVar(&beside, "beside", "", "a second source of the same records, of texts beside codes: joined by id")
	c.Flags().StringVar(&idKey, "id-key", "", "file of a key, made where there is none: ids are written as keyed hashes, to be joined with other columns of the same people")
	out.add(c, "file to write")
	r.add(c)
	e.add(c)
	m.add(c)
	return c
}

func (a *app) convert(ctx context.Context, o fit.Order, second *fit.Order, idKey, to string, out target) error {
	t := &table{app: a, to: out, form: convertForm(to), private: true, format: to, time: o.Read.Time}
	if err := t.check(); err != nil {
		return err
	}
	ctx = a.listening(ctx)
	p, err := fit.Prepare(ctx, o, "")
	if err != nil {
		return ofData(err)
	}
	defer p.Close()
	t.p = p
	var hidden *keyed
	if idKey != "" {
		var err error
		if hidden, err = keyedIDs(p, idKey); err != nil {
			return ofData(err)
		}
		t.p, t.notes = hidden, keyedNotes(idKey, hidden.made)
	}
	if second != nil {
		q, err := fit.Prepare(ctx, *second, "")
		if err != nil {
			return fmt.Errorf("--beside: %w", ofData(err))
		}
		defer q.Close()
		if t.p, err = pair(ctx, p, q, second.Read.Text); err != nil {
			return ofData(fmt.Errorf("--beside: %w", err))
		}
		if p.Health || q.Health {
			t.notes = append(t.notes, "These are records of people's health: add --health wherever the file is read.")
		}
	}
	if err := t.begin(ctx); err != nil {
		return fmt.Errorf("--to %s: %w", to, err)
	}
	defer t.abandon()
	if hidden != nil && hidden.made {
		if err := t.keep(ctx, idKey, hidden.key.Text()); err != nil {
			return err
		}
	}
	if err := converters()[to](ctx, t); err != nil {
		return fmt.Errorf("--to %s: %w", to, err)
	}
	if err := t.finish(); err != nil {
		return err
	}
	gate := explain.NewGate(p.Health, o.SmallestCell(p.Health), false, p.Len())
	reading := gate.Reading(p.Reading)
	a.warn(reading.Warnings())
	if a.json {
		return a.document("convert", struct {
			Format       string       `json:"format"`
			Files        []string     `json:"files"`
			HoldsRecords bool         `json:"holds_records"`
			Ring         report.Ring  `json:"ring,omitempty"`
			Records      report.Count `json:"records"`
			Features     int          `json:"features" gate:"features"`
			Reading      fit.Reading  `json:"reading"`
		}{to, t.files, true, gate.Ring, gate.Size(t.p.Len()), t.p.Vocab().Len(), reading})
	}
	for _, note := range t.notes {
		a.say("%s", note)
	}
	for _, f := range t.files {
		a.say("wrote %s", f)
	}
	if gate.Ring != report.Open {
		a.say("%s", wrap("It holds the records themselves: it is readable by you alone and not for passing on.", 100, "  "))
	}
	return nil
}
