// Package spread is a folder through which the passes of one fit are added up by
// other processes: on this machine, or on nodes of a cluster that see the same
// folder. The side that leads writes what is asked for and the totals of the rounds
// that are done; a side that follows runs the same fit up to the round that is asked
// for and writes the states of its pieces (see pass.Spread).
//
// Files are whole or not there and carry a checksum and the fingerprint of their
// round. A piece that is done twice gives the same bytes twice. The folder holds the
// records of the fit: it is as secret as these, and is removed in the end.
//
// Step in the flow: beside pass. It must not know what is summed, or by whom.
package spread

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

var kind = container.Kind{Magic: "moiety work\n", Version: 2}

// Folder is the folder of one fit.
type Folder string

// Rows is the data set file of the fit, Order what is to be fitted.
func (f Folder) Rows() string  { return filepath.Join(string(f), "rows.moiety") }
func (f Folder) Order() string { return filepath.Join(string(f), "order.json") }

func (f Folder) asked(round int) string { return f.file("round-%04d.asked", round) }
func (f Folder) total(round int) string { return f.file("round-%04d.total", round) }
func (f Folder) copied(number int) string {
	return f.file("copy-%04d", number)
}

func (f Folder) piece(round, piece int) string { return f.file("round-%04d.piece-%05d", round, piece) }

func (f Folder) fault(round, piece int) string { return f.file("round-%04d.fault-%05d", round, piece) }

func (f Folder) file(format string, args ...any) string {
	return filepath.Join(string(f), fmt.Sprintf(format, args...))
}

// Needed reports that a process that adds up a round reads the file of this name,
// beside the rows. Where it does not see the folder itself, these are carried to it.
func Needed(name string, round int) bool {
	var n int
	if at, err := fmt.Sscanf(name, "round-%d.total", &n); at == 1 && err == nil {
		return n < round
	}
	return name == filepath.Base(Folder("").Order()) || strings.HasPrefix(name, "copy-") || name == filepath.Base(Folder("").asked(round))
}

// Left reports the files that a process leaves of a round.
func Left(name string, round int) bool {
	return strings.HasPrefix(name, fmt.Sprintf("round-%04d.piece-", round)) || strings.HasPrefix(name, fmt.Sprintf("round-%04d.fault-", round))
}

// Asked is what the side that leads wants added up.
type Asked struct {
	Round pass.Round `json:"round"`
	Size  int        `json:"size"` // of the state
	Cut   Cut        `json:"cut"`
}

// Cut says which blocks a piece has: those of a lane, or a run of them.
type Cut struct {
	Blocks int `json:"blocks"`
	Lanes  int `json:"lanes,omitempty"`  // block b is in piece b mod Lanes
	Shards int `json:"shards,omitempty"` // where there are no lanes: runs of blocks
}

// newCut cuts so many blocks for a state: into lanes, which give the bits of one
// machine, or so many shards.
func newCut(blocks, size, shards int) Cut {
	if shards > 0 {
		return Cut{Blocks: blocks, Shards: min(shards, blocks)}
	}
	return Cut{Blocks: blocks, Lanes: par.Lanes(size)}
}

// Pieces returns how many pieces there are, none of them empty.
func (c Cut) Pieces() int { return min(max(c.Lanes, c.Shards), c.Blocks) }

// each hands over the blocks of a piece, in order.
func (c Cut) each(piece int, yield func(block int) error) error {
	from, to, step := piece, c.Blocks, c.Lanes
	if c.Shards > 0 {
		from, to, step = piece*c.Blocks/c.Shards, (piece+1)*c.Blocks/c.Shards, 1
	}
	for b := from; b < to; b += step {
		if err := yield(b); err != nil {
			return err
		}
	}
	return nil
}

// put writes a file under another name and renames it: who reads finds all of it or
// nothing. It need not survive a power cut, as nothing does that waits for it.
func put(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "part-") // for this user alone
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		err = fmt.Errorf("%w: the folder of ‹work› must have room for the sums of all rounds", err)
	}
	return err
}

// writeNumbers writes a file of a head and a state.
func writeNumbers(path string, head any, x []float64) error {
	var list []container.Matrix
	if len(x) > 0 {
		list = []container.Matrix{{Name: "state", M: mat.NewDense(1, len(x), x)}}
	}
	data, err := kind.Pack(head, list)
	if err != nil {
		return err
	}
	return put(path, data)
}

func readNumbers(path string, head any) ([]float64, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list, err := kind.Unpack(data, head)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m := list["state"]; m != nil {
		return m.RawMatrix().Data, nil
	}
	return nil, nil
}

// part is a block of copied records as it is written: an empty list is one. Its numbers
// stand beside it, each list by its name and the number of the block.
type part struct {
	First     int  `json:"first"`
	Dim       int  `json:"dim"`
	Valued    bool `json:"valued,omitempty"`
	Dense     bool `json:"dense,omitempty"`
	Sequences bool `json:"sequences,omitempty"`
}

func writeCopies(path string, blocks []pass.Block) error {
	parts := make([]part, len(blocks))
	var list []container.Matrix
	for i, b := range blocks {
		r := b.Rows
		parts[i] = part{b.First, r.Dim, r.Value != nil, r.Dense != nil, b.Steps != nil}
		list = appendNumbers(list, i, "ptr", r.Ptr)
		list = appendNumbers(list, i, "index", r.Index)
		list = appendNumbers(list, i, "value", r.Value)
		list = appendNumbers(list, i, "dense", r.Dense)
		list = appendNumbers(list, i, "steps", b.Steps)
	}
	data, err := kind.Pack(parts, list)
	if err != nil {
		return err
	}
	return put(path, data)
}

func readCopies(path string) ([]pass.Block, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var parts []part
	list, err := kind.Unpack(data, &parts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	blocks := make([]pass.Block, len(parts))
	for i, p := range parts {
		r := sparse.Rows{Dim: p.Dim, Ptr: numbers[int](list, i, "ptr"), Index: numbers[uint32](list, i, "index")}
		if r.Value = numbers[float32](list, i, "value"); p.Valued && r.Value == nil {
			r.Value = []float32{}
		}
		if r.Dense = numbers[float64](list, i, "dense"); p.Dense && r.Dense == nil {
			r.Dense = []float64{}
		}
		steps := numbers[int](list, i, "steps")
		if p.Sequences && steps == nil {
			steps = []int{0}
		}
		blocks[i] = pass.Block{First: p.First, Rows: r, Steps: steps}
	}
	return blocks, nil
}

type number interface {
	int | uint32 | float32 | float64
}

// appendNumbers adds a list of a block; an empty one is not written.
func appendNumbers[T number](list []container.Matrix, block int, name string, x []T) []container.Matrix {
	if len(x) == 0 {
		return list
	}
	row := mat.NewDense(1, len(x), nil)
	for i, v := range x {
		row.Set(0, i, float64(v))
	}
	return append(list, container.Matrix{Name: listed(block, name), M: row})
}

func numbers[T number](list map[string]*mat.Dense, block int, name string) []T {
	m := list[listed(block, name)]
	if m == nil {
		return nil
	}
	out := make([]T, 0, len(m.RawMatrix().Data))
	for _, v := range m.RawMatrix().Data {
		out = append(out, T(v))
	}
	return out
}

func listed(block int, name string) string { return fmt.Sprintf("%d.%s", block, name) }
