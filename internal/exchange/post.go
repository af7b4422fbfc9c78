package exchange

import (
	"fmt"

	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/pass"
)

// postKind is the kind of what a site of a study sends in a round.
var postKind = container.Kind{Magic: "moiety post\n", Version: 1}

// Modes of a study: whether the numbers of a site are hidden.
const (
	Secure = "secure sum"
	Open   = "open sum"
)

// Post is what a site of a study sends in one round: its numbers and nothing else.
// The totals before are named by the fingerprint in Round.
type Post struct {
	Number string     `json:"number"` // of the study
	Mode   string     `json:"mode"`
	Site   string     `json:"site"`
	Round  pass.Round `json:"round"`
	Sum    numbers    `json:"sum,omitempty"`
	Failed bool       `json:"failed,omitempty"` // the site ended with an error
}

// Bytes returns the post as a file, with its checksum.
func (p *Post) Bytes() ([]byte, error) { return postKind.Pack(p, nil) }

// Numbers returns how many numbers are in it.
func (p *Post) Numbers() int { return len(p.Sum) }

// Floats returns the numbers: those of the site where they are open, and what
// cannot be told from chance where they are hidden.
func (p *Post) Floats() []float64 { return floats(p.Sum) }

// Words returns the numbers as they travel, 16 bytes each.
func (p *Post) Words() []byte { return bytesOf(p.Sum) }

// ReadPost reads the bytes of a post.
func ReadPost(data []byte) (*Post, error) {
	p := &Post{}
	if _, err := postKind.Unpack(data, p); err != nil {
		return nil, worded(err)
	}
	if p.Mode != Secure && p.Mode != Open {
		return nil, worded(container.ErrDamaged)
	}
	return p, nil
}

// Take adds up a round from the posts of all sites, which load reads one at a time, in
// the order of the sites.
func (f *File) Take(load func(i int) (*Post, error)) error {
	var total []Fixed
	var first Post
	for i, site := range f.Sites {
		p, err := load(i)
		if err != nil {
			return err
		}
		if i == 0 {
			first = *p
			first.Sum = nil
		}
		switch {
		case p.Number != f.Number:
			return fmt.Errorf("exchange: %s sent a file of another study", site.Name)
		case p.Site != site.Name:
			return fmt.Errorf("exchange: a file of %s stands in the place of %s", p.Site, site.Name)
		case p.Mode != first.Mode:
			return fmt.Errorf("exchange: %s sent an %s and %s a %s", p.Site, p.Mode, first.Site, first.Mode)
		}
		if total, err = addTo(total, p.Sum, first.Round, p.Round, p.Site, first.Site); err != nil {
			return err
		}
	}
	f.Done = append(f.Done, Total{first.Round, total})
	return nil
}

// Has reports whether a round is among those that are done.
func (f *File) Has(r pass.Round) bool {
	for _, d := range f.Done {
		if d.Round == r {
			return true
		}
	}
	return false
}
