package parquet

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/pierrec/lz4/v4"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// encode writes rows as a Parquet file.
func encode[T any](t testing.TB, rows []T, options ...pq.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pq.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// table gives the table of a file as text.
func table(t testing.TB, data []byte) (string, error) {
	t.Helper()
	return tableOf(source.Bytes("t.parquet", data), Limits{})
}

func tableOf(in source.Input, l Limits) (string, error) {
	ctx := context.Background()
	f, err := Open(ctx, in, l)
	if err != nil {
		return "", err
	}
	made, err := f.Table()
	if err != nil {
		return "", err
	}
	r, err := made.Text(ctx, nil)
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), err
}

// read gives all records with lists as "id|side|feature ...".
func read(t testing.TB, o Options, p *record.Problems, inputs ...source.Input) (rows []string, s *record.Schema, err error) {
	t.Helper()
	files := make([]*File, len(inputs))
	for i, in := range inputs {
		if files[i], err = Open(context.Background(), in, Limits{}); err != nil {
			return nil, nil, err
		}
	}
	src, err := New(files, o, p)
	if err != nil {
		return nil, nil, err
	}
	s = src.Schema()
	err = src.Read(context.Background(), func(b *record.Batch) error {
		for i := range b.N() {
			var side, row []string
			id := ""
			if b.IDs != nil {
				id = b.IDs[i]
			}
			for _, column := range b.Side {
				side = append(side, column[i])
			}
			for _, f := range b.Feature[b.Ptr[i]:b.Ptr[i+1]] {
				row = append(row, s.Dict.Name(f))
			}
			rows = append(rows, id+"|"+strings.Join(side, ",")+"|"+strings.Join(row, " "))
		}
		return nil
	})
	return rows, s, err
}

type longRow struct {
	Patient int64   `parquet:"patient_id"`
	Code    *string `parquet:"icd_code,optional"`
}

type listRow struct {
	ID    string   `parquet:"id"`
	Codes []string `parquet:"codes,list"`
	Died  bool     `parquet:"died"`
}

type bareList struct {
	Key  string  `parquet:"key"`
	Many []int32 `parquet:"many"`
}

type wideRow struct {
	ID    string   `parquet:"id"`
	Age   *float64 `parquet:"age,optional"`
	Dose  float32  `parquet:"dose"`
	Group string   `parquet:"group"`
}

func ptr[T any](v T) *T { return &v }

func TestLists(t *testing.T) {
	listFile := encode(t, []listRow{{"x", []string{"I10", " E11", "I10"}, true}, {"y", nil, false}, {"z", []string{"J44", ""}, true}})
	bareFile := encode(t, []bareList{{"x", []int32{5, 6}}, {"y", nil}})
	for _, c := range []struct {
		name string
		file []byte
		o    Options
		want []string
	}{
		{"list", listFile, Options{ID: "id", List: "codes"}, []string{"x||I10 E11", "y||", "z||J44"}},
		{"list with side", listFile, Options{ID: "id", List: "codes", Side: []string{"died"}}, []string{"x|true|I10 E11", "y|false|", "z|true|J44"}},
		{"numbers, no id", bareFile, Options{List: "many"}, []string{"||5 6", "||"}},
	} {
		p := &record.Problems{Strict: true}
		rows, s, err := read(t, c.o, p, source.Bytes("t.parquet", c.file))
		if err != nil || !slices.Equal(rows, c.want) || s.Kind != record.Presence {
			t.Errorf("%s: %q (%v), want %q", c.name, rows, err, c.want)
		}
	}
	for want, o := range map[string]Options{`no column of lists "dx"`: {List: "dx"}, `no column "key"`: {List: "codes", ID: "key"}} {
		if _, _, err := read(t, o, &record.Problems{}, source.Bytes("t", listFile)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
	if _, _, err := read(t, Options{List: "codes"}, &record.Problems{}, source.Bytes("a", listFile), source.Bytes("b", bareFile)); err == nil || !strings.Contains(err.Error(), "other columns") {
		t.Errorf("two shapes: %v", err)
	}
}

// A table says what the annotations mean: numbers with their point, large
// numbers without a sign, days and times as such, nothing for nothing.
func TestTable(t *testing.T) {
	at := time.Date(2020, 1, 1, 12, 30, 5, 250e6, time.UTC)
	type inner struct {
		B int32 `parquet:"b"`
	}
	type row struct {
		Price  int32     `parquet:"price,decimal(2:9)"`
		Wide   int64     `parquet:"wide,decimal(3:18)"`
		Small  uint32    `parquet:"small"`
		Large  uint64    `parquet:"large"`
		At     time.Time `parquet:"at,timestamp(microsecond)"`
		Day    int32     `parquet:"day,date"`
		Clock  int32     `parquet:"clock,time(millisecond)"`
		Share  *float64  `parquet:"share,optional"`
		Single float32   `parquet:"single"`
		Yes    bool      `parquet:"yes"`
		Word   string    `parquet:"word"`
		In     inner     `parquet:"in"`
		Tags   []string  `parquet:"tags,list"`
	}
	data := encode(t, []row{
		{100, -5, 1 << 31, 1 << 63, at, 18262, 45005250, nil, 0.1, true, `say "a, b"`, inner{7}, []string{"x"}},
		{-1250, 1e15, 0, 1, at.Add(-time.Hour), -1, 0, ptr(1e-7), float32(math.Inf(1)), false, "é\x01\n", inner{-7}, nil},
	})
	want := "price,wide,small,large,at,day,clock,share,single,yes,word,in.b\n" +
		"1.00,-0.005,2147483648,9223372036854775808,2020-01-01T12:30:05.25Z,2020-01-01,12:30:05.25,,0.1,true,\"say \"\"a, b\"\"\",7\n" +
		"-12.50,1000000000000.000,0,1,2020-01-01T11:30:05.25Z,1969-12-31,00:00:00,1e-07,,false,\"é \n\",-7\n"
	if got, err := table(t, data); err != nil || got != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
}

// Numbers of other writers: decimals as bytes, numbers of two bytes, the old
// time of twelve bytes.
func TestStoredForms(t *testing.T) {
	for _, c := range []struct {
		name string
		node pq.Node
		v    pq.Value
		want string
	}{
		{"decimal in bytes", pq.Decimal(2, 10, pq.ByteArrayType), pq.ByteArrayValue([]byte{0xff, 0x9c}), "-1.00"},
		{"decimal in fixed bytes", pq.Decimal(4, 20, pq.FixedLenByteArrayType(3)), pq.FixedLenByteArrayValue([]byte{0, 1, 0}), "0.0256"},
		{"old time", pq.Leaf(pq.Int96Type), pq.Int96Value(deprecated.Int96{1000000000, 0, 2440589}), "1970-01-02T00:00:01Z"},
		{"bytes", pq.Leaf(pq.FixedLenByteArrayType(2)), pq.FixedLenByteArrayValue([]byte{0xab, 1}), "ab01"},
	} {
		var b bytes.Buffer
		w := pq.NewWriter(&b, pq.NewSchema("t", pq.Group{"c": c.node}))
		if _, err := w.WriteRows([]pq.Row{{c.v.Level(0, 0, 0)}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := table(t, b.Bytes()); err != nil || got != "c\n"+c.want+"\n" {
			t.Errorf("%s: %q (%v), want %q", c.name, got, err, c.want)
		}
	}
	for bits, want := range map[uint16]string{0x3c00: "1", 0xc000: "-2", 0x3555: "0.33325195", 0x0001: "5.9604645e-08", 0x7bff: "65504", 0x7c00: "", 0x7e00: "", 0: "0"} {
		v := pq.FixedLenByteArrayValue(binary.LittleEndian.AppendUint16(nil, bits))
		if got := string(half(nil, v)); got != want {
			t.Errorf("half %#x is %q, want %q", bits, got, want)
		}
	}
}

// Every codec gives back random numbers, which hardly shrink, in pages of many
// sizes, with and without a dictionary.
func TestCodecs(t *testing.T) {
	type plainRow struct {
		X float64 `parquet:"x"`
	}
	type dictRow struct {
		X float64 `parquet:"x,dict"`
	}
	for _, codec := range []compress.Codec{&pq.Uncompressed, &pq.Snappy, &pq.Gzip, &pq.Brotli, &pq.Zstd, &pq.Lz4Raw} {
		for _, n := range []int{1, 3, 17, 200, 513, 4000} {
			for _, version := range []int{1, 2} {
				rng := rand.New(rand.NewPCG(uint64(n), 5))
				var a []plainRow
				var b []dictRow
				want := []byte("x\n")
				for range n {
					x := rng.NormFloat64()
					a, b = append(a, plainRow{x}), append(b, dictRow{x})
					want = append(source.Number(want, x, 64), '\n')
				}
				for name, data := range map[string][]byte{
					"plain": encode(t, a, pq.Compression(codec), pq.DataPageVersion(version), pq.PageBufferSize(3000)),
					"dict":  encode(t, b, pq.Compression(codec), pq.DataPageVersion(version), pq.PageBufferSize(3000)),
				} {
					if got, err := table(t, data); err != nil || got != string(want) {
						t.Errorf("%s, %d numbers, pages v%d, %s: other numbers come back (%v)", codec, n, version, name, err)
					}
				}
			}
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
	got := make([]byte, len(plain))
	if err := unpackBlock(got, page, true); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("pieces: %v", err)
	}
	if err := unpackBlock(got[:len(got)-1], page, true); err == nil {
		t.Error("a page of another size than promised is believed")
	}
	if err := unpackBlock(got, page[:len(page)-1], true); err == nil {
		t.Error("a page that is cut off is believed")
	}
}

// many makes rows of a file with several pages and row groups.
func many(n int) []longRow {
	rng := rand.New(rand.NewPCG(11, 12))
	rows := make([]longRow, n)
	for i := range rows {
		rows[i] = longRow{int64(rng.IntN(n/10 + 1)), ptr(fmt.Sprint("c", rng.IntN(300)))}
	}
	return rows
}

func TestManyGroups(t *testing.T) {
	rows := many(20000)
	var want strings.Builder
	want.WriteString("patient_id,icd_code\n")
	for _, r := range rows {
		fmt.Fprintf(&want, "%d,%s\n", r.Patient, *r.Code)
	}
	data := encode(t, rows, pq.MaxRowsPerRowGroup(3000), pq.PageBufferSize(2000), pq.Compression(&pq.Zstd))
	if got, err := table(t, data); err != nil || got != want.String() {
		t.Errorf("%d bytes, want %d (%v)", len(got), want.Len(), err)
	}
}

func TestPlaces(t *testing.T) {
	file := encode(t, []longRow{{7, ptr("I10")}})
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(file)
	z.Close()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	path := filepath.Join(dir, "f.parquet")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	plain, err := source.File(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]source.Input{
		"file": plain, "stream": source.Reader("standard input", bytes.NewReader(file)), "gzip": source.Bytes("f.gz", packed.Bytes()),
	} {
		if got, err := tableOf(in, Limits{}); err != nil || got != "patient_id,icd_code\n7,I10\n" {
			t.Errorf("%s: %q (%v)", name, got, err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%d files left in the temporary folder (%v)", len(left), err)
	}
}

func TestDamaged(t *testing.T) {
	file := encode(t, many(300))
	hostile := bytes.Clone(file)
	copy(hostile[len(hostile)-8:], "\xff\xff\xff\xff")
	for name, data := range map[string][]byte{
		"footer of 4 GB": hostile,
		"cut off":        file[:len(file)-10], "half": file[:len(file)/2], "magic alone": []byte("PAR1PAR1"), "text": []byte("id,code\n1,2\n"),
	} {
		if _, err := table(t, data); err == nil || !source.Unreadable(err) {
			t.Errorf("%s: error %v is not one of unreadable data", name, err)
		}
	}
	for name, l := range map[string]Limits{"page": {Page: 100}, "row group": {RowGroup: 100}, "columns": {Columns: 1}} {
		if _, err := tableOf(source.Bytes("t.parquet", file), l); err == nil || !source.Unreadable(err) {
			t.Errorf("limit on %s: %v", name, err)
		}
	}
	locked := bytes.Clone(file)
	copy(locked[len(locked)-4:], "PARE")
	if _, err := table(t, locked); err == nil || !strings.Contains(err.Error(), "encrypted") {
		t.Errorf("encrypted: %v", err)
	}
}

// TestMutations flips bytes at random places: every file must give records or
// an error of the data, never a panic.
func TestMutations(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, file := range [][]byte{encode(t, many(400)), encode(t, many(400), pq.Compression(&pq.Lz4Raw)), encode(t, []listRow{{"x", []string{"I10", "E11"}, true}, {"y", nil, false}})} {
		for range 150 {
			data := bytes.Clone(file)
			for range 1 + rng.IntN(3) {
				data[rng.IntN(len(data))] ^= byte(1 + rng.IntN(255))
			}
			_, err := table(t, data)
			if err != nil && !source.Unreadable(err) && !strings.Contains(err.Error(), "column") {
				t.Errorf("error %v is not one of unreadable data", err)
			}
		}
	}
}

func FuzzParquet(f *testing.F) {
	f.Add(encode(f, many(50)))
	f.Add(encode(f, []listRow{{"x", []string{"I10", "E11"}, true}, {"y", nil, false}}))
	f.Add(encode(f, []wideRow{{"p", ptr(61.5), 0, "u"}, {"q", nil, 2, "v"}}))
	f.Add(encode(f, many(50), pq.Compression(&pq.Lz4Raw)))
	f.Add([]byte("PAR1PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = tableOf(source.Bytes("f.parquet", data), Limits{Page: 1 << 20, RowGroup: 1 << 16})
	})
}

func BenchmarkLong(b *testing.B) {
	rows := many(1 << 20)
	file := encode(b, rows)
	path := filepath.Join(b.TempDir(), "b.parquet")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		b.Fatal(err)
	}
	in, err := source.File(path)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := tableOf(in, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(rows))*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
