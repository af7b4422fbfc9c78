package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/pass"
)

// kind is the kind of the files that sites and coordinator send each other.
var kind = container.Kind{Magic: "moiety sums\n", Version: 1}

// File is what is carried between sites by hand: the sites of a study, the
// totals of the rounds so far, and, from a site, its numbers of the next one.
type File struct {
	// Study tells what all sites agreed on: settings, as the run room writes them.
	Study json.RawMessage `json:"study"`
	Open  bool            `json:"open"` // numbers are not hidden behind masks
	// Number is that of the study, where one was begun by "moiety study"; Stopped
	// names a site that ended with an error in the round under way.
	Number  string  `json:"number,omitempty"`
	Stopped string  `json:"stopped,omitempty"`
	Hidden  bool    `json:"hidden,omitempty"` // Sum is, in a study of open sums
	Sites   []Site  `json:"sites"`            // in the order in which they were first merged
	Done    []Total `json:"done"`
	// Now is the round under way and In the sites whose numbers are in Sum; they
	// are empty in a file of totals, and in the first files of sites.
	Now *pass.Round `json:"now,omitempty"`
	In  []int       `json:"in,omitempty"`
	Sum numbers     `json:"sum,omitempty"`
}

// Site is one of those that take part.
type Site struct {
	Name string          `json:"name"`
	Key  string          `json:"key"`  // public
	Open json.RawMessage `json:"told"` // openly, in the first round: names, no counts
}

// Total is a round that is done.
type Total struct {
	Round pass.Round `json:"round"`
	Sum   numbers    `json:"sum"`
}

// numbers travel as bytes.
type numbers []Fixed

// MarshalJSON implements json.Marshaler.
func (n numbers) MarshalJSON() ([]byte, error) { return json.Marshal(bytesOf(n)) }

// UnmarshalJSON implements json.Unmarshaler.
func (n *numbers) UnmarshalJSON(text []byte) error {
	var b []byte
	if err := json.Unmarshal(text, &b); err != nil {
		return err
	}
	if len(b)%16 != 0 {
		return errors.New("a part of a number")
	}
	*n = fromBytes(b)
	return nil
}

// Bytes returns the file, with its checksum.
func (f *File) Bytes() ([]byte, error) { return kind.Pack(f, nil) }

// IsFile reports whether the bytes are the beginning of such a file.
func IsFile(data []byte) bool { return strings.HasPrefix(string(data), kind.Magic) }

// Load reads a file, or a folder of the totals of a study.
func Load(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return LoadTotals(path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Read reads the bytes of a file.
func Read(data []byte) (*File, error) {
	f := &File{}
	_, err := kind.Unpack(data, f)
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return nil, worded(err)
	}
	return f, nil
}

// worded says what to do about a file that cannot be read.
func worded(err error) error {
	switch {
	case errors.Is(err, container.ErrForeign):
		return errors.New("not a file of sums: name one that \"moiety moments\" or \"moiety merge\" wrote")
	case errors.Is(err, container.ErrDamaged):
		return errors.New("the file was changed or damaged on its way (its checksum does not match): ask for it again")
	}
	return err
}

// check refuses contents that no program wrote.
func (f *File) check() error {
	if len(f.Sites) == 0 || (f.Now == nil) != (len(f.In) == 0) {
		return container.ErrDamaged
	}
	for i, s := range f.In {
		if s < 0 || s >= len(f.Sites) || slices.Contains(f.In[:i], s) {
			return container.ErrDamaged
		}
	}
	return nil
}

// Complete reports that all sites are in, so that another round can begin.
func (f *File) Complete() bool { return f.Now == nil }

// names lists sites by their numbers.
func (f *File) names(list []int) string {
	var out []string
	for _, i := range list {
		out = append(out, f.Sites[i].Name)
	}
	return strings.Join(out, ", ")
}

// Missing names the sites that are not in yet.
func (f *File) Missing() string {
	var out []int
	for i := range f.Sites {
		if f.Now != nil && !slices.Contains(f.In, i) {
			out = append(out, i)
		}
	}
	return f.names(out)
}
