package evaluate

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/cells"
)

// Agreement compares two labelings of records known by their ids.
type Agreement struct {
	N       int     // records in both
	ARI     float64 // adjusted Rand index
	NMI     float64 // normalised mutual information
	OnlyA   int     // records in the first alone, left out
	OnlyB   int     // records in the second alone, left out
	GroupsA int     // different labels of the first, among the shared records
	GroupsB int
}

// Join compares two labelings, id to label, on the ids they share.
func Join(a, b map[string]string) (*Agreement, error) {
	ids := make([]string, 0, len(a))
	for id := range a {
		if _, ok := b[id]; ok {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("evaluate: the two lists of labels (%d and %d records) share no id; check that both name records the same way", len(a), len(b))
	}
	slices.Sort(ids)
	x, kx := numbered(ids, a)
	y, ky := numbered(ids, b)
	t, err := agree.Cross(x, y)
	if err != nil {
		return nil, err
	}
	return &Agreement{
		N: len(ids), ARI: t.ARI(), NMI: t.NMI(),
		OnlyA: len(a) - len(ids), OnlyB: len(b) - len(ids), GroupsA: kx, GroupsB: ky,
	}, nil
}

// numbered returns the labels as numbers, by their first use.
func numbered(ids []string, label map[string]string) ([]int, int) {
	number := map[string]int{}
	out := make([]int, len(ids))
	for i, id := range ids {
		l := label[id]
		if _, ok := number[l]; !ok {
			number[l] = len(number)
		}
		out[i] = number[l]
	}
	return out, len(number)
}

// ReadLabels reads a CSV table with a header that holds the columns id and
// group, or id and label; further columns are passed over.
func ReadLabels(r io.Reader) (map[string]string, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("evaluate: the file of labels is empty; the first line must name the columns id and group")
	}
	if err != nil {
		return nil, fmt.Errorf("evaluate: labels: %w", err)
	}
	id, label := column(header, "id"), column(header, "group", "label")
	if id < 0 || label < 0 {
		return nil, fmt.Errorf("evaluate: labels have the columns %q, want id and group (or id and label)", header)
	}
	ours := slices.Equal(header, []string{"id", "group", "probability"}) // cells may be guarded
	out := map[string]string{}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("evaluate: labels: %w", err)
		}
		if ours {
			row[id] = cells.Unguard(row[id])
		}
		row[id] = cells.Visible(row[id]) // as in the tables that we write
		line, _ := in.FieldPos(0)
		if _, twice := out[row[id]]; twice {
			return nil, fmt.Errorf("evaluate: labels, line %d: id %q stands twice; every record needs one label", line, row[id])
		}
		out[strings.Clone(row[id])] = strings.Clone(row[label])
	}
}

// column returns the place of the first of the names that the header has, -1
// for none. A byte order mark does not count.
func column(header []string, names ...string) int {
	for _, name := range names {
		for i, h := range header {
			if strings.EqualFold(strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")), name) {
				return i
			}
		}
	}
	return -1
}
