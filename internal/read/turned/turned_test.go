package turned

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/moiety-go/moiety/record"
)

// A matrix read in one go and one read in many are the same records.
func TestGoes(t *testing.T) {
	const records, features = 37, 23
	r := rand.New(rand.NewPCG(7, 7))
	var table [features][records]float64
	m := Matrix{Records: make([]string, records), Features: make([]string, features), Side: []string{"s"}, Sides: [][]string{make([]string, records)}}
	for i := range records {
		m.Records[i], m.Sides[0][i] = string(rune('a'+i)), string(rune('A'+i))
	}
	for j := range features {
		m.Features[j] = string(rune('a' + j))
		for i := range records {
			table[j][i] = float64(r.IntN(3))
		}
	}
	goes := 0
	m.Entries = func(_ context.Context, add func(i, j int, v float64) error) error {
		goes++
		for j, row := range table {
			for i, v := range row {
				if v != 0 {
					if err := add(i, j, v); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}
	for memory, want := range map[int]int{0: 2, 100: 7, 1: 1 + records} {
		m.MaxEntries, goes = memory, 0
		var got [features][records]float64
		n := 0
		err := New(m).Read(context.Background(), func(b *record.Batch) error {
			for i := range b.N() {
				if b.IDs[i] != m.Records[n] || b.Side[0][i] != m.Sides[0][n] {
					t.Errorf("record %d is %q, %q", n, b.IDs[i], b.Side[0][i])
				}
				for e := b.Ptr[i]; e < b.Ptr[i+1]; e++ {
					got[b.Feature[e]][n] = b.At(e)
				}
				n++
			}
			return nil
		})
		if err != nil || n != records || !reflect.DeepEqual(got, table) {
			t.Errorf("room for %d: %v, %d records, or other entries", memory, err, n)
		}
		if goes < want-1 || goes > want+1 {
			t.Errorf("room for %d: %d goes over the entries, want about %d", memory, goes, want)
		}
	}
}
