package dataset

import (
	"bytes"
	"hash/crc32"
	"testing"

	"github.com/moiety-go/moiety/vocab"
)

// FuzzParts feeds the decoders with bytes whose checksums would be right: they
// may refuse them but not panic, and must not make more than the bytes hold.
func FuzzParts(f *testing.F) {
	for _, layout := range []Layout{Binary, Valued, Dense} {
		d := made(5, 4, layout, layout == Valued)
		d.Vocab.Columns = []vocab.Column{{Name: "a", From: 1, To: 3}}
		parts, _ := pieces(nil, d.Rows, d.Steps)
		f.Add(bytes.Join(parts, nil), d.Describe().appendMeta(nil, 5, d.Rows.N()), uint16(5), uint16(d.Rows.N()))
		f.Add(appendNames(nil, d, 0, 5), []byte{}, uint16(5), uint16(5))
	}
	f.Fuzz(func(t *testing.T, rows, meta []byte, records, rowCount uint16) {
		readMeta(meta)
		e := entry{records: int(records), rowCount: int(rowCount)}
		for _, layout := range []Layout{Binary, Valued, Dense} {
			for _, sequences := range []bool{false, true} {
				h := Header{Layout: layout, Vocab: vocab.Numbered(4), Sequences: sequences, IDs: true, Side: []string{"s"}}
				e.rows = part{size: int64(len(rows)), crc: crc32.Checksum(rows, castagnoli)}
				n, err := h.entries(e)
				if err != nil {
					continue
				}
				r := h.newBlockBuffer(e.records, e.rowCount, n)
				err = r.part(spot{}, spot{e.records, e.rowCount, n}).fill(&checked{r: bytes.NewReader(rows)}, h, e)
				if err == nil && (r.rows.N() != e.rowCount || sequences && len(r.steps) != e.records+1) {
					t.Errorf("%d rows and %d steps, want %d and %d", r.rows.N(), len(r.steps), e.rowCount, e.records)
				}
				readNames(rows, [][]string{make([]string, records), make([]string, records)})
			}
		}
	})
}
