package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/moiety-go/moiety/internal/container"
)

// seals is the list of checksums of a run folder. It binds the files to each
// other: one that comes from another run, be it of the same data, is refused.
//
// No large file is read twice for it. The model, the tree and the assignments
// end in a checksum of their own, and that stands in the list; of the rows it is
// the checksum of the foot, which holds those of all blocks; of the manifest
// that of all but its timings, which carry their own: so that two runs of the
// same data and settings have the same list. The sum of the list is the id of
// the run. The edits, which come later, carry that id and their own checksum.
type seals struct {
	Kind    string            `json:"kind"`
	Version int               `json:"version"`
	Files   map[string]string `json:"files"`
	Sum     string            `json:"sum"` // of the list without its sum
}

const (
	sealsFile    = "checksums.json"
	sealsKind    = "moiety checksums"
	sealsVersion = 1
)

// newSeals returns a list with its sum.
func newSeals(files map[string]string) *seals {
	s := &seals{Kind: sealsKind, Version: sealsVersion, Files: files}
	s.Sum = textSum(s.text())
	return s
}

// text is the list as it stands in its file.
func (s *seals) text() []byte { return jsonFile(s) }

// jsonFile writes a value as all JSON files of a run are written.
func jsonFile(v any) []byte {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // structs of strings and numbers
	}
	return append(text, '\n')
}

func textSum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// readSeals reads the list of a run folder, nil where there is none.
func readSeals(dir string) (*seals, error) {
	text, err := os.ReadFile(filepath.Join(dir, sealsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseSeals(text)
}

// parseSeals accepts exactly the bytes that text writes.
func parseSeals(text []byte) (*seals, error) {
	var s seals
	if err := json.Unmarshal(text, &s); err != nil || s.Kind != sealsKind || s.Version < 1 {
		return nil, fmt.Errorf("%s: %w", sealsFile, container.ErrDamaged)
	}
	if s.Version > sealsVersion {
		return nil, fmt.Errorf("%s: %w", sealsFile, container.ErrNewer)
	}
	if want := newSeals(s.Files); want.Sum != s.Sum || !bytes.Equal(text, s.text()) {
		return nil, fmt.Errorf("%s: %w", sealsFile, container.ErrDamaged)
	}
	return &s, nil
}

// check refuses a file with another checksum than the list's.
func (s *seals) check(name, sum string) error {
	if want, ok := s.Files[name]; !ok || want != sum {
		return fmt.Errorf("%s does not belong to it: %w", name, container.ErrDamaged)
	}
	return nil
}
