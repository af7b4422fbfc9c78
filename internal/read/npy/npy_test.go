package npy

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// npyOf writes an array: its type, order and shape as numpy words them, and its
// elements.
func npyOf(descr, fortran, shape string, elements ...any) []byte {
	text := fmt.Sprintf("{'descr': %s, 'fortran_order': %s, 'shape': (%s), }", descr, fortran, shape)
	text += strings.Repeat(" ", 64-(10+len(text)+1)%64) + "\n"
	b := append([]byte(Magic), 1, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(text)))
	b = append(b, text...)
	for _, e := range elements {
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, e); err != nil {
			panic(err)
		}
	}
	return b
}

func npzOf(members map[string][]byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range members {
		w, _ := z.Create(name + ".npy")
		_, _ = w.Write(data)
	}
	z.Close()
	return b.Bytes()
}

func chars(list ...string) (descr string, shape string, data []byte) {
	most := 1
	for _, s := range list {
		most = max(most, len([]rune(s)))
	}
	for _, s := range list {
		r := make([]rune, most)
		copy(r, []rune(s))
		for _, c := range r {
			data = binary.LittleEndian.AppendUint32(data, uint32(c))
		}
	}
	return fmt.Sprintf("'<U%d'", most), fmt.Sprintf("%d,", len(list)), data
}

func words(list ...string) []byte {
	descr, shape, data := chars(list...)
	return npyOf(descr, "False", shape, data)
}

func tableOf(data []byte) (string, error) {
	ctx := context.Background()
	f, err := Open(ctx, source.Bytes("t.npz", data))
	if err != nil {
		return "", err
	}
	t, err := f.Table()
	if err != nil {
		return "", err
	}
	r, err := t.Text(ctx, nil)
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), err
}

func TestTables(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"doubles", npyOf("'<f8'", "False", "2, 2", []float64{1, 2.5, math.NaN(), -1e-9}), "x0,x1\n1,2.5\n,-1e-09\n"},
		{"by column", npyOf("'<f4'", "True", "2, 3", []float32{1, 2, 3, 4, 5, 0.1}), "x0,x1,x2\n1,3,5\n2,4,0.1\n"},
		{"bytes", npyOf("'|b1'", "False", "2, 1", []uint8{1, 0}), "x0\n1\n0\n"},
		{"signed bytes", npyOf("'|i1'", "False", "1, 2", []int8{-1, 7}), "x0,x1\n-1,7\n"},
		{"large", npyOf("'<u8'", "False", "1,", []uint64{1 << 63}), "x0\n9223372036854775808\n"},
		{"big-endian", npyOf("'>i4'", "False", "1, 1", []byte{0, 0, 1, 0}), "x0\n256\n"},
		{"halves", npyOf("'<f2'", "False", "1, 2", []uint16{0x3c00, 0x3555}), "x0,x1\n1,0.33325195\n"},
		{"words", npyOf("'<U2'", "False", "1, 2", []uint32{'a', 'b', 'é', 0}), "x0,x1\nab,é\n"},
		{"byte strings", npyOf("'|S3'", "False", "1, 2", []byte("ab\x00a,b")), "x0,x1\nab,\"a,b\"\n"},
		{"empty strings", npyOf("'|S0'", "False", "1, 2"), "x0,x1\n,\n"},
		{"with names", npzOf(map[string][]byte{
			"X": npyOf("'<i8'", "False", "2, 2", []int64{1, 2, 3, 4}), "ids": words("p", "q"), "columns": words("age", "bp"), "y": npyOf("'<i4'", "False", "2,", []int32{0, 1}),
			"Z": npyOf("'<i8'", "False", "1, 1", []int64{1}),
		}), "id,y,age,bp\np,0,1,2\nq,1,3,4\n"},
	} {
		if got, err := tableOf(c.data); err != nil || got != c.want {
			t.Errorf("%s: %q (%v), want %q", c.name, got, err, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	one := npyOf("'<f8'", "False", "2, 2", []float64{1, 2, 3, 4})
	for says, data := range map[string][]byte{
		"Python objects":                      npyOf("'|O'", "False", "2,", []byte("\x80\x04")),
		"structures":                          npyOf("[('a', '<f8')]", "False", "1,", []float64{1}),
		"type \"<c16\"":                       npyOf("'<c16'", "False", "1, 1", []float64{1, 2}),
		"3 dimensions":                        npyOf("'<f8'", "False", "1, 1, 1", []float64{1}),
		"empty":                               npyOf("'<f8'", "False", "0, 3"),
		"less than its header":                npyOf("'<f8'", "False", "2000000000, 1000", []float64{1}),
		"cannot be believed":                  npyOf("'<f8'", "False", "2000000000, 2000000000", []float64{1}),
		"-1":                                  npyOf("'<f8'", "False", "-1, 2", []float64{1}),
		"at most 4194304":                     npyOf("'<f8'", "False", "1, 2000000000", []float64{1}),
		"header":                              one[:20],
		"4 elements less":                     one[:len(one)-32],
		"no array":                            []byte("PK\x05\x06" + strings.Repeat("\x00", 18)),
		"claims 4294967295":                   append([]byte(Magic+"\x02\x00"), 0xff, 0xff, 0xff, 0xff),
		"save the one with the records alone": npzOf(map[string][]byte{"a": one, "b": one}),
	} {
		_, err := tableOf(data)
		if err == nil || !source.Unreadable(err) || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v does not say %q, or is not one of the data", err, says)
		}
	}
}

// TestManyElements: more of them than are read at a time.
func TestManyElements(t *testing.T) {
	list, want := make([]int16, 3*bufferBytes/2+1), strings.Builder{}
	want.WriteString("x0\n")
	for i := range list {
		list[i] = int16(i % 1000)
		fmt.Fprintln(&want, list[i])
	}
	whole := npyOf("'<i2'", "False", fmt.Sprintf("%d,", len(list)), list)
	if got, err := tableOf(whole); err != nil || got != want.String() {
		t.Errorf("%d bytes (%v), want %d", len(got), err, want.Len())
	}
	if _, err := tableOf(whole[:len(whole)-6]); err == nil || !strings.Contains(err.Error(), "3 elements less") {
		t.Errorf("cut off: %v", err)
	}
}

// sparseOf writes a matrix as scipy does.
func sparseOf(form string, rows, cols int, major, minor []int32, data []float64, more map[string][]byte) []byte {
	a, b := "indptr", "indices"
	if form == "coo" {
		a, b = "row", "col"
	}
	m := map[string][]byte{
		"format": npyOf("'|S3'", "False", "", []byte(form)), "shape": npyOf("'<i8'", "False", "2,", []int64{int64(rows), int64(cols)}),
		a: npyOf("'<i4'", "False", fmt.Sprintf("%d,", len(major)), major), b: npyOf("'<i4'", "False", fmt.Sprintf("%d,", len(minor)), minor),
		"data": npyOf("'<f8'", "False", fmt.Sprintf("%d,", len(data)), data),
	}
	for name, x := range more {
		m[name] = x
	}
	return npzOf(m)
}

func readSparse(data []byte) (string, record.Kind, error) {
	ctx := context.Background()
	f, err := Open(ctx, source.Bytes("t.npz", data))
	if err != nil {
		return "", 0, err
	}
	s, err := New(f, new(record.Problems))
	if err != nil {
		return "", 0, err
	}
	var rows []string
	err = s.Read(ctx, func(b *record.Batch) error {
		for i := range b.N() {
			var row []string
			if b.IDs != nil {
				row = append(row, b.IDs[i]+"|")
			}
			for e := b.Ptr[i]; e < b.Ptr[i+1]; e++ {
				row = append(row, fmt.Sprintf("%s:%g", s.Schema().Dict.Name(b.Feature[e]), b.At(e)))
			}
			rows = append(rows, strings.Join(row, " "))
		}
		return nil
	})
	return strings.Join(rows, "; "), s.Schema().Kind, err
}

func TestSparse(t *testing.T) {
	// 5 0 1 / 0 0 0 / 0 4 2
	values := []float64{5, 1, 4, 2}
	want := "x0:5 x2:1; ; x1:4 x2:2"
	for name, data := range map[string][]byte{
		"csr": sparseOf("csr", 3, 3, []int32{0, 2, 2, 4}, []int32{0, 2, 1, 2}, values, nil),
		"csc": sparseOf("csc", 3, 3, []int32{0, 1, 2, 4}, []int32{0, 2, 0, 2}, []float64{5, 4, 1, 2}, nil),
		"coo": sparseOf("coo", 3, 3, []int32{2, 0, 2, 0}, []int32{2, 0, 1, 2}, []float64{2, 5, 4, 1}, nil),
	} {
		if got, kind, err := readSparse(data); err != nil || got != want || kind != record.Counts {
			t.Errorf("%s: %q %v (%v), want %q", name, got, kind, err, want)
		}
	}
	named := sparseOf("csr", 2, 2, []int32{0, 1, 2}, []int32{1, 0}, []float64{1, 1}, map[string][]byte{"ids": words("a", "b"), "columns": words("g1", "g2")})
	if got, kind, err := readSparse(named); err != nil || got != "a| g2:1; b| g1:1" || kind != record.Presence {
		t.Errorf("with names: %q %v (%v)", got, kind, err)
	}
	if got, kind, err := readSparse(sparseOf("csr", 1, 2, []int32{0, 2}, []int32{1, 0}, []float64{-1.5, 0}, nil)); err != nil || got != "x1:-1.5" || kind != record.Real {
		t.Errorf("measurements: %q %v (%v)", got, kind, err)
	}
	for says, data := range map[string][]byte{
		"row 0, column 7":     sparseOf("csr", 1, 2, []int32{0, 1}, []int32{7}, []float64{1}, nil),
		"column -1":           sparseOf("csr", 1, 2, []int32{0, 1}, []int32{-1}, []float64{1}, nil),
		"does not rise":       sparseOf("csr", 2, 2, []int32{0, 2, 1}, []int32{0, 1}, []float64{1, 1}, nil),
		"do not fit":          sparseOf("csr", 1, 2, []int32{0, 1}, []int32{0, 1}, []float64{1, 1}, nil),
		"has 2 numbers":       sparseOf("csr", 2000000000, 2, []int32{0, 1}, []int32{0}, []float64{1}, nil),
		`form "bsr"`:          sparseOf("bsr", 1, 1, []int32{0, 1}, []int32{0}, []float64{1}, nil),
		"promises 2000000000": sparseOf("coo", 2000000000, 2, []int32{0}, []int32{0}, []float64{1}, nil),
	} {
		if _, _, err := readSparse(data); err == nil || !source.Unreadable(err) || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v does not say %q", err, says)
		}
	}
}

func FuzzArrays(f *testing.F) {
	f.Add(npyOf("'<f8'", "False", "2, 2", []float64{1, 2.5, math.NaN(), -1e-9}))
	f.Add(npyOf("'<U2'", "True", "1, 2", []uint32{'a', 'b', 'é', 0}))
	f.Add(sparseOf("csr", 3, 3, []int32{0, 2, 2, 4}, []int32{0, 2, 1, 2}, []float64{5, 1, 4, 2}, nil))
	f.Add(sparseOf("coo", 2, 2, []int32{1, 0}, []int32{1, 0}, []float64{1, 1}, map[string][]byte{"ids": words("a", "b")}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := tableOf(data); err != nil && !source.Unreadable(err) {
			t.Errorf("table: %v is not an error of the data", err)
		}
		if _, _, err := readSparse(data); err != nil && !source.Unreadable(err) {
			t.Errorf("sparse: %v is not an error of the data", err)
		}
	})
}
