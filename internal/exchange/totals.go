package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/moiety-go/moiety/internal/container"
)

// totalKind is the kind of a file with the total of one round of a study.
var totalKind = container.Kind{Magic: "moiety total\n", Version: 1}

// tail is the total of one round.
type tail struct {
	Number string `json:"number"` // of the study
	At     int    `json:"at"`     // of the round, from 1
	Total  Total  `json:"total"`
}

// TotalName is the name of the file of round n in a folder of totals; 0 is the
// list of sites.
func TotalName(n int) string { return fmt.Sprintf("%04d.mom", n) }

// Tail returns the file of round n, with its checksum; 0 is the list of sites.
func (f *File) Tail(n int) ([]byte, error) {
	if n == 0 {
		head := *f
		head.Done = nil
		return head.Bytes()
	}
	return totalKind.Pack(tail{f.Number, n, f.Done[n-1]}, nil)
}

// Grow adds the file of the next round.
func (f *File) Grow(data []byte) error {
	var t tail
	if _, err := totalKind.Unpack(data, &t); err != nil {
		return worded(err)
	}
	if t.Number != f.Number || t.At != len(f.Done)+1 {
		return errors.New("it is of another study or another round")
	}
	f.Done = append(f.Done, t.Total)
	return nil
}

// LoadTotals reads a folder of totals.
func LoadTotals(dir string) (*File, error) {
	f, err := Load(filepath.Join(dir, TotalName(0)))
	if err != nil {
		return nil, err
	}
	return f, f.GrowFrom(dir)
}

// GrowFrom adds the rounds of a folder that are not known yet.
func (f *File) GrowFrom(dir string) error {
	for {
		name := filepath.Join(dir, TotalName(len(f.Done)+1))
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := f.Grow(data); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}
