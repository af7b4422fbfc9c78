// Package result holds what the program said of the draws of the bank, one JSON line
// a draw.
package result

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/moiety-go/moiety/bank/law"
	"github.com/moiety-go/moiety/bank/split"
)

// Draw is a draw of a law and what the program made of it.
type Draw struct {
	Hand    string     `json:"hand"`
	Law     string     `json:"law"`
	Kind    law.Kind   `json:"kind"`
	Part    split.Part `json:"part"`
	N       int        `json:"n"` // as asked for; of sequences there are a fifth
	Seed    uint64     `json:"seed"`
	Records int        `json:"records"`
	Groups  int        `json:"groups"` // that have a record in this draw
	Alone   Answer     `json:"alone"`  // nothing told
	Told    *Answer    `json:"told"`   // told the number; null of one population
}

// Answer is what the program said once.
type Answer struct {
	Groups   int      `json:"groups"` // that it claims; 0 where it failed or makes no claim
	Low      int      `json:"low"`
	High     int      `json:"high"`
	Sure     bool     `json:"sure"`
	Sureness string   `json:"sureness"` // in its own word
	Segments int      `json:"segments"` // 0 where it tells none
	Shown    int      `json:"shown"`    // groups that records were placed in
	Visible  bool     `json:"visible"`  // sequences: its states are the very symbols that steps show, so nothing is hidden
	ARI      *float64 `json:"ari"`      // null of one population and where nothing was placed
	CPU      float64  `json:"cpu"`      // seconds
	Exit     int      `json:"exit"`
	Error    string   `json:"error"`
	// Verdict is all that the program wrote of its claim.
	Verdict json.RawMessage `json:"verdict,omitempty"`
}

// Failed says whether there is no answer.
func (a Answer) Failed() bool { return a.Error != "" }

// Compare orders draws by hand, law, size and seed; 0 means the same draw.
func Compare(a, b Draw) int {
	return cmp.Or(cmp.Compare(a.Hand, b.Hand), cmp.Compare(a.Law, b.Law), cmp.Compare(a.N, b.N), cmp.Compare(a.Seed, b.Seed))
}

// Write writes draws in their order, a line each.
func Write(w io.Writer, draws []Draw) error {
	sorted := slices.SortedFunc(slices.Values(draws), Compare)
	out := json.NewEncoder(w)
	for _, d := range sorted {
		if err := out.Encode(d); err != nil {
			return err
		}
	}
	return nil
}

// Read reads draws, a line each. An error says the line.
func Read(r io.Reader) ([]Draw, error) {
	var draws []Draw
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		in := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		in.DisallowUnknownFields()
		var d Draw
		if err := in.Decode(&d); err != nil {
			return nil, fmt.Errorf("line %d is no draw of the bank: %w", n, err)
		}
		draws = append(draws, d)
	}
	return draws, lines.Err()
}
