package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/sparse"
)

// keyed are records whose ids are keyed hashes, in the order of these and without side
// columns: what a site gives to who joins it with other columns of the same people
// ([T] conclusions; docs/federated.md).
type keyed struct {
	tabled
	key  exchange.IDKey
	made bool // and is to be kept
}

// keyedIDs hides the ids of a table by the key in a file.
func keyedIDs(p tabled, path string) (k *keyed, err error) {
	if _, sequences := p.Kind(); sequences {
		return nil, errors.New("sequences tell too much by their order to be joined: leave --id-key out")
	}
	k = &keyed{tabled: p}
	k.key, k.made, err = exchange.OpenIDKey(path)
	return k, err
}

// Side implements tabled: an age, a place or a date may name a person.
func (k *keyed) Side() []string { return nil }

// Each implements tabled.
func (k *keyed) Each(ctx context.Context, yield func(first int, d *dataset.Dataset) error) error {
	var ids []string
	var rows []sparse.Rows
	var all *dataset.Dataset
	err := k.tabled.Each(ctx, func(_ int, d *dataset.Dataset) error {
		if d.IDs == nil {
			return errors.New("the records have no ids, and are joined by them: name their column with --id")
		}
		for _, id := range d.IDs {
			ids = append(ids, k.key.Hide(id))
		}
		rows, all = append(rows, d.Rows.Slice(0, d.Rows.N())), d
		return ctx.Err()
	})
	if err != nil || all == nil {
		return err
	}
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	out := &dataset.Dataset{Kind: all.Kind, Vocab: all.Vocab, Rows: sparse.Join(all.Rows.Dim, rows).Pick(order)}
	for _, i := range order {
		out.IDs = append(out.IDs, ids[i])
	}
	return yield(0, out)
}

// keyedNotes says what a file with keyed ids shows, and to whom.
func keyedNotes(path string, made bool) []string {
	var out []string
	if made {
		out = append(out, "A new key is in "+path+": the other sites need the same, and whoever joins the files must not have it.")
	}
	return append(out, "Whoever joins the files sees which records are of one person, and every code of each: codes alone may tell who it is. "+
		"Give them to a joiner whom all sites trust, and nobody else.")
}
