package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/moiety-go/moiety/internal/durable"
)

// Kept reads the file that a site sent last, as the site has kept it; nil where it has
// sent none.
func Kept(path string) (*File, error) {
	f, err := Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// Follow refuses totals that do not go on from the file that this site sent last. Whoever
// could give it another list of sites, or other totals before, could have its numbers
// under other masks.
func (f *File) Follow(sent *File) error {
	if sent == nil {
		return nil
	}
	if sent.Now == nil { // its first file
		if own := sent.Sites[0]; !slices.ContainsFunc(f.Sites, own.is) {
			return fmt.Errorf("the list of sites has not what %s told in its first file: begin the study anew", own.Name)
		}
		return nil
	}
	if !slices.EqualFunc(f.Sites, sent.Sites, Site.is) {
		return errors.New("the list of sites has changed since this site sent its sums: begin the study anew, with a key of its own for every site")
	}
	if len(f.Done) < len(sent.Done) {
		return fmt.Errorf("they end after round %d, and this site has sent its sums of round %d: take the newest totals", len(f.Done), len(sent.Done)+1)
	}
	for i, d := range sent.Done {
		if f.Done[i].Round != d.Round || !slices.Equal(f.Done[i].Sum, d.Sum) {
			return fmt.Errorf("the total of round %d has changed since this site had it: begin the study anew, with a key of its own for every site", i+1)
		}
	}
	return nil
}

// is reports whether two entries of lists of sites are one: name, key and what was told.
func (s Site) is(o Site) bool {
	return s.Name == o.Name && s.Key == o.Key && bytes.Equal(s.Open, o.Open)
}

// Again refuses a second file for a round that this site has sent, with other numbers:
// behind the same masks the difference of the two would be bare.
func (f *File) Again(sent *File) error {
	if sent == nil || sent.Now == nil || len(sent.Done) != len(f.Done) {
		return nil
	}
	if *f.Now != *sent.Now || !slices.Equal(f.Sum, sent.Sum) {
		return fmt.Errorf("this site has sent other sums for round %d: the difference of the two would show what changed, as if nothing hid it; sum up the data as they were, or begin the study anew, with a key of its own for every site", len(f.Done)+1)
	}
	return nil
}

// Keep writes the file where Kept finds it, readable by its owner alone.
func (f *File) Keep(path string) error {
	data, err := f.Bytes()
	if err != nil {
		return err
	}
	return durable.WriteFile(durable.OS{}, path, data, 0o600)
}
