package show

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/report"
)

// Format is the name of the JSON document; its version is the report's.
const Format = "moiety report"

// JSON writes the report as one versioned document. Masked numbers are null; every
// key is there whatever the model, and lists are never null: docs/report.schema.json.
func JSON(w io.Writer, r *report.Report) error {
	text, err := document(r)
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	return err
}

// JSONPlaces is JSON with one key more: places, the group and the probability of
// every group of every record (Place), in their order. It holds records.
func JSONPlaces(ctx context.Context, w io.Writer, r *report.Report, o report.Placed, records dataset.Data, all Posterior) error {
	text, err := document(r)
	if err != nil {
		return err
	}
	p, err := NewPlaces("", groupIDs(r))
	if err != nil {
		return err
	}
	defer p.Close()
	row := 0
	err = records.Each(ctx, func(_ int, d *dataset.Dataset) error {
		post, err := all.of(d, len(r.Leaves))
		if err != nil {
			return err
		}
		row += d.Rows.N()
		return p.Add(d, o.Group[row-d.Rows.N():row], post)
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.WriteString(strings.TrimSuffix(text, "\n}\n"))
	out.WriteString(",\n  \"places\": [")
	err = p.lines(out)
	out.WriteString("\n]\n}\n")
	return errors.Join(err, out.Flush())
}

// document returns the report as text.
func document(r *report.Report) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(whole(struct {
		Format string `json:"format"`
		*report.Report
	}{Format, r}))
	return harmlessJSON(b.String()), err
}

// OCTIS writes topics in the form of OCTIS' model output: "topics", the most
// probable features of every group, and "topic-word-matrix", which is left out
// where a number in it is masked. Groups of which nothing may be said are left
// out, and fits without frequencies refused: they have no topics. Where theta is
// given, "topic-document-matrix" has the probability of every topic in every
// document: it holds records.
func OCTIS(w io.Writer, r *report.Report, theta *Probabilities) error {
	out := struct {
		Generator string      `json:"generator"`
		Topics    [][]string  `json:"topics"`
		Matrix    [][]float64 `json:"topic-word-matrix,omitempty"`
		Documents [][]float64 `json:"topic-document-matrix,omitempty"`
	}{Generator: markOCTIS, Topics: [][]string{}}
	m, whole := centers(r, 0)
	d := len(r.Table.Names)
	var kept []int
	for j := range r.Leaves {
		var topic []string
		for _, f := range r.Leaf(j).Frequent {
			topic = append(topic, f.Name)
		}
		if len(topic) == 0 {
			continue
		}
		kept, out.Topics = append(kept, j), append(out.Topics, topic)
		if whole {
			out.Matrix = append(out.Matrix, m[j*d:(j+1)*d])
		}
	}
	if len(out.Topics) == 0 {
		return fmt.Errorf("show: no features with frequencies for topics: %w", ErrNoPicture)
	}
	if theta != nil {
		out.Documents = make([][]float64, len(kept))
		err := theta.Each(func(p []float64) error {
			for ; len(p) > 0; p = p[len(r.Leaves):] {
				for at, j := range kept {
					out.Documents[at] = append(out.Documents[at], p[j])
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return json.NewEncoder(w).Encode(out)
}

// centers returns the centers, group by group, with missing in the place of
// masked ones, and whether there was none of them.
func centers(r *report.Report, missing float64) (m []float64, whole bool) {
	whole = true
	for _, row := range r.Table.Centers {
		for _, x := range row {
			if x.Masked() {
				whole = false
			}
			m = append(m, x.Or(missing))
		}
	}
	return m, whole
}
