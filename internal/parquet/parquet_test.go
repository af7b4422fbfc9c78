package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"
)

// written returns a file of a few kinds of columns, and what is in it.
func written(t testing.TB, rows int) ([]byte, map[string][]any) {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, "records", "a test", []Column{
		TextColumn("id"), TextColumn("sex").Optional(), NumberColumn("dose").Optional(), WholeColumn("count"), TextColumn("codes").Lists(),
	})
	rng, want := rand.New(rand.NewPCG(3, 4)), make(map[string][]any)
	add := func(c string, v any) { want[c] = append(want[c], v) }
	for i := range rows {
		id, sex, dose, n := fmt.Sprint("p", i), []string{"f", "m"}[rng.IntN(2)], rng.NormFloat64(), rng.Int64()
		w.Text(0, id)
		add("id", fmt.Sprintf("%x", id))
		if i%5 == 0 {
			w.Null(1)
			add("sex", nil)
		} else {
			w.Text(1, sex)
			add("sex", fmt.Sprintf("%x", sex))
		}
		if i%2 == 0 {
			w.Null(2)
			add("dose", nil)
		} else {
			w.Number(2, dose)
			add("dose", dose)
		}
		w.Whole(3, n)
		add("count", n)
		list, codes := []any{}, []string(nil)
		for j := range rng.IntN(4) {
			codes = append(codes, fmt.Sprint("c", rng.IntN(9)))
			list = append(list, fmt.Sprintf("%x", codes[j]))
		}
		w.List(4, codes)
		add("codes", list)
		if err := w.EndRow(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), want
}

// What is written is read, over row groups and with nothing in it, and the same
// rows are the same bytes.
func TestWriter(t *testing.T) {
	for _, rows := range []int{0, 1, 9, 3000} {
		data, want := written(t, rows)
		got, err := all(data, Limits{})
		if err != nil || rows > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%d rows: other ones come back (%v)", rows, err)
		}
		if again, _ := written(t, rows); !bytes.Equal(data, again) {
			t.Errorf("%d rows: other bytes the second time", rows)
		}
	}
	var b bytes.Buffer
	w := NewWriter(&b, "records", "", []Column{WholeColumn("n")})
	for i := range int64(groupRows + 10) {
		w.Whole(0, i)
		if err := w.EndRow(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := all(b.Bytes(), Limits{})
	if n := got["n"]; err != nil || len(n) != groupRows+10 || n[groupRows] != int64(groupRows) {
		t.Errorf("two row groups: %d rows (%v)", len(n), err)
	}
	w = NewWriter(&b, "records", "", []Column{TextColumn("a"), TextColumn("b")})
	w.Text(0, "x")
	if err := errors.Join(w.EndRow(), w.Close()); err == nil {
		t.Error("a row without a value of each column is written")
	}
}

// A changed byte is noticed wherever it is, but in what nobody needs: no name and no
// value is another one, and nothing panics.
func TestChangedBytes(t *testing.T) {
	data, want := written(t, 40)
	f, err := Open(bytes.NewReader(data), int64(len(data)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	inPage := make([]bool, len(data))
	for i := range f.Columns {
		for r := f.Read(0, i); r.at < r.end; {
			h, n, err := r.readHeader()
			if err != nil {
				t.Fatal(err)
			}
			for at := r.at + n; at < r.at+n+int64(h.stored); at++ {
				inPage[at] = true
			}
			r.at += n + int64(h.stored)
		}
	}
	for at := range data {
		bad := bytes.Clone(data)
		bad[at] ^= 1 << (at % 8)
		got, err := all(bad, Limits{})
		e := (*Error)(nil)
		switch {
		case err != nil && !errors.As(err, &e):
			t.Errorf("byte %d: %v is no error of the file", at, err)
		case err == nil && inPage[at]:
			t.Errorf("byte %d of a page changed, and nothing said", at)
		case err == nil && !reflect.DeepEqual(got, want):
			t.Errorf("byte %d changed: other records, and nothing said", at)
		}
	}
}

// Damaged files of other programs end in an error of the file or in records.
func TestDamagedForeign(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for name, data := range load(t) {
		for range 60 {
			bad := bytes.Clone(data)
			for range 1 + rng.IntN(3) {
				bad[rng.IntN(len(bad))] ^= byte(1 + rng.IntN(255))
			}
			if rng.IntN(4) == 0 {
				bad = append(bad[:rng.IntN(len(bad)-12)], bad[len(bad)-12:]...)
			}
			e := (*Error)(nil)
			if _, err := all(bad, Limits{Page: 1 << 20, RowGroup: 1 << 16}); err != nil && !errors.As(err, &e) {
				t.Errorf("%s: %v is no error of the file", name, err)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	files := load(t)
	whole := files["snappy-v1.parquet"]
	hostile := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(hostile[len(hostile)-8:], math.MaxUint32)
	for _, c := range []struct {
		data   []byte
		limits Limits
		reason Reason
		words  string
	}{
		{files["brotli-v1.parquet"], Limits{}, Unread, "packed by Brotli, which is not read; write it again with zstd"},
		{files["locked.parquet"], Limits{}, Unread, "encrypted Parquet file; save it without a key"},
		{files["locked-columns.parquet"], Limits{}, Unread, "some of its columns are encrypted"},
		{files["parts-elsewhere.parquet"], Limits{}, Unread, "in other files; name these files"},
		{whole[:len(whole)-10], Limits{}, Damaged, "does not end as a Parquet file does"},
		{[]byte("PAR1PAR1"), Limits{}, Damaged, "8 bytes are too few"},
		{hostile, Limits{}, Damaged, "claims 4294967295 bytes"},
		{whole, Limits{Page: 100}, TooLarge, "at most 100"},
		{whole, Limits{RowGroup: 100}, TooLarge, "claims 120 rows, at most 100"},
		{whole, Limits{Columns: 2}, TooLarge, "more than 2 columns"},
		{files["lists.parquet"], Limits{RowGroups: 2}, TooLarge, "more than 2 row groups"},
	} {
		_, err := all(c.data, c.limits)
		e := (*Error)(nil)
		if !errors.As(err, &e) || e.Reason != c.reason || !strings.Contains(e.Words, c.words) {
			t.Errorf("error %v does not say %q", err, c.words)
		}
	}
}

// Bytes that claim more than can be behind them take no memory.
func TestClaims(t *testing.T) {
	page := make([]byte, 0, 64)
	for _, c := range []struct {
		col Column
		as  encoding
		raw []byte
	}{
		{Column{Type: Int64}, plain, page},
		{Column{Type: Boolean}, plain, page},
		{TextColumn("x"), plain, []byte{255, 255, 255, 255}},
		{Column{Type: Int32}, deltaBinary, binary.AppendUvarint([]byte{128, 1, 4}, 1<<40)},
		{Column{Type: Int32}, deltaBinary, []byte{255, 255, 255, 255, 255, 1, 4, 3, 0, 0, 0}},
		{TextColumn("x"), deltaLength, []byte{128, 1, 4, 2, 200, 1, 0}},
		{TextColumn("x"), deltaByteArray, []byte{128, 1, 4, 2, 200, 1, 0}},
		{Column{Type: Double}, byteStreamsSplit, page[:7]},
		{Column{Type: Boolean}, runLengths, []byte{9, 0, 0, 0, 3}},
		{Column{Type: Double}, indexed, []byte{40, 3}},
		{Column{Type: Double}, encoding(77), nil},
	} {
		v, err := c.col.newValues(c.as, c.raw, 1000, &Values{Ints: make([]int64, 2)})
		if err == nil {
			err = v.next(&Batch{Index: make([]uint32, 0, batchSize)}, 1000)
		}
		if e := (*Error)(nil); !errors.As(err, &e) {
			t.Errorf("%v in encoding %d: %v", c.col.Type, c.as, err)
		}
	}
}

// Pages as Hadoop packs them: pieces with their sizes in front.
func TestHadoopPieces(t *testing.T) {
	plain := bytes.Repeat([]byte("abcdefgh"), 100)
	var page []byte
	for _, piece := range [][]byte{plain[:300], plain[300:]} {
		packed := make([]byte, lz4.CompressBlockBound(len(piece)))
		n, err := lz4.CompressBlock(piece, packed, nil)
		if err != nil || n == 0 {
			t.Fatal(n, err)
		}
		page = binary.BigEndian.AppendUint32(page, uint32(len(piece)))
		page = binary.BigEndian.AppendUint32(page, uint32(n))
		page = append(page, packed[:n]...)
	}
	got, f := make([]byte, len(plain)), &File{}
	if err := f.unpack(lz4Pieces, got, page); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("pieces: %v", err)
	}
	if err := f.unpack(lz4Pieces, got[:len(got)-1], page); err == nil {
		t.Error("a page of another size than promised is believed")
	}
	if err := f.unpack(lz4Pieces, got, page[:len(page)-1]); err == nil {
		t.Error("a page that is cut off is believed")
	}
}

// slow reads runs of levels and indices bit by bit.
func slow(raw []byte, width, n int) (out []uint32) {
	for len(out) < n {
		head, size := binary.Uvarint(raw)
		raw = raw[size:]
		if head&1 == 0 {
			v := uint32(0)
			for i := range (width + 7) / 8 {
				v |= uint32(raw[i]) << (8 * i)
			}
			raw = raw[(width+7)/8:]
			for range head >> 1 {
				out = append(out, v)
			}
			continue
		}
		for i := range int(head>>1) * 8 {
			v := uint32(0)
			for b := range width {
				at := i*width + b
				v |= uint32(raw[at/8]>>(at%8)&1) << b
			}
			out = append(out, v)
		}
		raw = raw[int(head>>1)*width:]
	}
	return out[:n]
}

// Runs and packed groups in any order, of every width, read in pieces of any size.
func TestHybrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for width := range 33 {
		var raw []byte
		n := 0
		for range 12 {
			if rng.IntN(2) == 0 {
				times := 1 + rng.IntN(40)
				raw = binary.AppendUvarint(raw, uint64(times)<<1)
				raw = binary.LittleEndian.AppendUint32(raw, rng.Uint32()&uint32(1<<width-1))
				raw = raw[:len(raw)-4+(width+7)/8]
				n += times
			} else {
				v := make([]uint32, 8*(1+rng.IntN(5)))
				for i := range v {
					v[i] = rng.Uint32() & uint32(1<<width-1)
				}
				raw = appendPacked(raw, v, width)
				n += len(v)
			}
		}
		h, err := newHybrid(raw, width)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]uint32, n)
		for left := got; len(left) > 0; {
			k := min(len(left), 1+rng.IntN(30))
			if err := fill(h, left[:k]); err != nil {
				t.Fatal(err)
			}
			left = left[k:]
		}
		if !reflect.DeepEqual(got, slow(raw, width, n)) {
			t.Errorf("width %d: other numbers", width)
		}
		if err := fill(h, make([]uint32, 1)); err == nil {
			t.Errorf("width %d: a number behind the end", width)
		}
	}
}

func FuzzParquet(f *testing.F) {
	for _, data := range load(f) {
		f.Add(data)
	}
	data, _ := written(f, 20)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		f, err := Open(bytes.NewReader(data), int64(len(data)), Limits{Page: 1 << 20, RowGroup: 1 << 16})
		if err != nil {
			return
		}
		for g := range f.Groups() {
			for i := range f.Columns {
				for r := f.Read(g, i); err == nil; _, err = r.Next() {
				}
				if e := (*Error)(nil); err != io.EOF && !errors.As(err, &e) {
					t.Fatal(err)
				}
				err = nil
			}
		}
	})
}
