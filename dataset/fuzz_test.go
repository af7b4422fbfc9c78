package dataset

import (
	"testing"

	"github.com/moiety-go/moiety/vocab"
)

// FuzzParts feeds the decoders with bytes whose checksums would be right: they
// may refuse them but not panic, and must not make more than the bytes hold.
func FuzzParts(f *testing.F) {
	for _, layout := range []Layout{Binary, Valued, Dense} {
		d := made(5, 4, layout, layout == Valued)
		d.Vocab.Columns = []vocab.Column{{Name: "a", From: 1, To: 3}}
		f.Add(appendRows(nil, d.Rows, d.Steps), HeaderOf(d).appendMeta(nil, 5, d.Rows.N()), uint16(5), uint16(d.Rows.N()))
		f.Add(appendNames(nil, d, 0, 5), []byte{}, uint16(5), uint16(5))
	}
	f.Fuzz(func(t *testing.T, rows, meta []byte, records, rowCount uint16) {
		readMeta(meta)
		e := entry{records: int(records), rowCount: int(rowCount)}
		for _, layout := range []Layout{Binary, Valued, Dense} {
			for _, sequences := range []bool{false, true} {
				h := Header{Layout: layout, Vocab: vocab.Numbered(4), Sequences: sequences, IDs: true, Side: []string{"s"}}
				r, steps, err := decodeRows(rows, h, e)
				if err == nil && (r.N() != e.rowCount || sequences && len(steps) != e.records+1) {
					t.Errorf("%d rows and %d steps, want %d and %d", r.N(), len(steps), e.rowCount, e.records)
				}
				decodeNames(rows, h, e.records)
			}
		}
	})
}
