package encode

import (
	"reflect"
	"testing"
)

// Chunks come out of the file as they went in, in any order, and a text that ends too
// early is refused wherever it ends.
func TestChunkFile(t *testing.T) {
	list := []*chunk{
		{ptr: []int{0}, whole: true},
		{ids: []string{"a", "", "long id"}, ptr: []int{0, 2, 2, 5}, feature: []uint32{3, 1, 4, 1, 1 << 30}, whole: true, distinct: true},
		{ids: []string{"x"}, side: [][]string{{"1"}, {""}}, steps: []int{0, 2}, ptr: []int{0, 1, 3}, feature: []uint32{1, 2, 3}, value: []float64{.5, -1, 300}},
		{first: 4, ptr: []int{0, 2}, feature: []uint32{7, 9}, small: []uint8{1, 255}, whole: true},
	}
	f, err := newChunkFile(t.TempDir(), 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if err := f.add(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.done(); err != nil {
		t.Fatal(err)
	}
	if len(f.places) != len(list) {
		t.Fatalf("%d chunks, want %d", len(f.places), len(list))
	}
	for i := len(list) - 1; i >= 0; i-- {
		got, err := f.chunk(i)
		if err != nil {
			t.Fatal(err)
		}
		got.again = false
		if !reflect.DeepEqual(got, list[i]) {
			t.Errorf("chunk %d is %+v, want %+v", i, got, list[i])
		}
		text := appendChunk(nil, list[i])
		for n := range text {
			if err := new(chunk).read(text[:n]); err == nil {
				t.Errorf("chunk %d is read from %d of %d bytes", i, n, len(text))
			}
		}
	}
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
	if err := f.close(); err == nil {
		t.Error("a file that is gone is closed again")
	}
}

// A file that cannot be written says so, to whoever adds or at the end, and nobody waits.
func TestChunkFileFails(t *testing.T) {
	f, err := newChunkFile(t.TempDir(), 4)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.file.Close(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if err = f.add(&chunk{ptr: []int{0}}); err != nil {
			break
		}
	}
	if done := f.done(); done == nil {
		t.Error("a file that could not be written is done")
	}
}
