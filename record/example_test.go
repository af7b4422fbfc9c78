package record_test

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/record"
)

// baskets is a format of one's own: lists of things by name.
type baskets struct {
	lists  [][]string
	schema *record.Schema
}

func (b baskets) Schema() *record.Schema { return b.schema }

func (b baskets) Read(ctx context.Context, yield func(*record.Batch) error) error {
	batch := &record.Batch{Ptr: []int{0}}
	for _, list := range b.lists {
		for _, thing := range list {
			batch.Feature = append(batch.Feature, b.schema.Dict.Add(thing))
		}
		batch.Ptr = append(batch.Ptr, len(batch.Feature))
	}
	return yield(batch)
}

// A Source yields records batch by batch; moiety.Records hands it to a fit.
func ExampleSource() {
	src := baskets{[][]string{{"bread", "salt"}, {"salt"}}, &record.Schema{Format: "baskets", Kind: record.Presence, Dict: record.NewDict()}}
	err := src.Read(context.Background(), func(b *record.Batch) error {
		fmt.Println(b.N(), "records of", src.Schema().Dict.Names())
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 2 records of [bread salt]
}
