package dataset_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// A data set in memory and in a file are the same to whoever works on it.
func ExampleData() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	memory := &dataset.Dataset{
		Kind: record.Presence, Vocab: vocab.New([]string{"asthma", "gout"}), IDs: []string{"anna", "ben"},
		Rows: sparse.FromDense([][]float64{{1, 0}, {1, 1}}, 2, true),
	}
	path := filepath.Join(dir, "rows")
	if err := dataset.Write(path, memory); err != nil {
		fmt.Println(err)
		return
	}
	file, err := dataset.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for _, d := range []dataset.Data{memory, file} {
		fmt.Println(d.Len(), d.Describe().Vocab.Names, d.Fingerprint() == memory.Fingerprint())
	}
	// Output:
	// 2 [asthma gout] true
	// 2 [asthma gout] true
}
