package exchange

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/pass"
)

// One post of another study, site, kind, round or length among those of a round ends it; the
// total of the others is never taken for that of all.
func TestTakeRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *Post)
		want   string
	}{
		{"as it should be", func(*Post) {}, ""},
		{"another study", func(p *Post) { p.Number = "8" }, "another study"},
		{"another site", func(p *Post) { p.Site = "a" }, "in the place of"},
		{"open among hidden", func(p *Post) { p.Mode = Open }, "sent an"},
		{"another round", func(p *Post) { p.Round.Number = 4 }, "out of step"},
		{"a number less", func(p *Post) { p.Sum = p.Sum[:1] }, "gives 1 numbers"},
		{"a number more", func(p *Post) { p.Sum = append(p.Sum, Fixed{}) }, "gives 3 numbers"},
	} {
		f := &File{Number: "7", Sites: []Site{{Name: "a"}, {Name: "b"}, {Name: "c"}}}
		err := f.Take(func(i int) (*Post, error) {
			p := &Post{Number: "7", Mode: Secure, Site: f.Sites[i].Name, Round: pass.Round{Number: 3}, Sum: []Fixed{{Hi: 1}, {Hi: uint64(i)}}}
			if i == 1 {
				c.change(p)
			}
			return p, nil
		})
		switch {
		case c.want == "" && (err != nil || len(f.Done) != 1 || fmt.Sprint(f.Done[0].Sum) != "[{3 0} {3 0}]"):
			t.Errorf("%v, %+v", err, f.Done)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || len(f.Done) != 0):
			t.Errorf("%s: %v, want %q; %d rounds done", c.name, err, c.want, len(f.Done))
		}
	}
}

// carrier keeps what is sent.
type carrier struct{ sent *Post }

func (c *carrier) Send(_ context.Context, p *Post) error { c.sent = p; return nil }

func (*carrier) Next(context.Context, *File) error { return nil }

// What a site hides leaves it hidden, in a study of open sums too, by hand and by a carrier,
// and both say so.
func TestHidesWhereverItSends(t *testing.T) {
	file, key := &File{Study: []byte("{}")}, (*Key)(nil)
	for i := range 2 {
		k, err := NewKey()
		if err != nil {
			t.Fatal(err)
		}
		key = k
		file.Sites = append(file.Sites, Site{Name: fmt.Sprint("site", i), Key: k.Public(), Open: []byte("{}")})
	}
	for _, c := range []struct{ open, hide, bare bool }{{true, false, true}, {true, true, false}, {false, false, false}, {false, true, false}} {
		file.Open = c.open
		post := &carrier{}
		live, err := NewLive(file, key, post, false)
		if err != nil {
			t.Fatal(err)
		}
		hand, err := NewHand(file, key)
		if err != nil {
			t.Fatal(err)
		}
		if c.hide {
			live.Hide()
			hand.Hide()
		}
		for _, x := range []pass.Exchange{live, hand} {
			if _, err := x.Add(t.Context(), pass.Round{Number: 1, Name: "test"}, []float64{3}); !errors.Is(err, ErrCarry) {
				t.Fatal(err)
			}
		}
		if bare := post.sent.Sum[0].Float() == 3; bare != c.bare || (post.sent.Mode == Open) != c.bare {
			t.Errorf("%+v: %v leaves as %s", c, post.sent.Sum[0].Float(), post.sent.Mode)
		}
		if bare := hand.Next.Sum[0].Float() == 3; bare != c.bare || hand.Next.Hidden != c.hide {
			t.Errorf("%+v: %v leaves by hand, hidden %v", c, hand.Next.Sum[0].Float(), hand.Next.Hidden)
		}
	}
}
