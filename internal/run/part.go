package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read/source"
)

// offered is what a site says openly in the first round.
type offered struct {
	encode.Offer
	Health bool `json:"health,omitempty"`
	// Empty says that the site has no record: it takes part and adds nothing.
	Empty bool `json:"empty,omitempty"`
}

// Part is what a site of a joined run knows.
type Part struct {
	Order Order
	Site  string // what the others call it
	Key   string // file of its key; where it is not there, the first round makes one: see Leaving
	With  string // totals of the rounds so far; empty in the first
	Open  bool   // no masks: whoever gets the file can read its sums
}

// Sums does the next round of a joined run at one site: it returns the file to
// send, and what is in it, for people.
func Sums(ctx context.Context, p Part) (*exchange.File, *Leaving, error) {
	if p.Order.IsTree() {
		return nil, nil, fit.Unsuited("how many groups there are is judged in hundreds of rounds, too many by hand: ask for a number with ‹groups›, and for the tree over them with ‹tree›, or lead a study (\"moiety study\") with ‹wait›")
	}
	about, err := StudyOf(p.Order)
	if err != nil {
		return nil, nil, err
	}
	if err := p.Order.Fit.Check(); err != nil {
		return nil, nil, err
	}
	sent, err := exchange.Kept(p.kept())
	if err != nil {
		return nil, nil, err
	}
	round := p.next
	if p.With == "" {
		round = p.begin
	}
	f, leaving, err := round(ctx, about, sent)
	if err != nil {
		return nil, nil, err
	}
	return f, leaving, f.Keep(p.kept()) // before it is sent
}

// kept is where the file that was sent last is kept, beside the key that hides it.
func (p Part) kept() string { return strings.TrimSuffix(p.Key, ".key") + ".sent" }

// begin does the first round. A key that has hidden sums hides none of another study:
// the difference of two files with one mask is that of their records.
func (p Part) begin(ctx context.Context, about json.RawMessage, sent *exchange.File) (*exchange.File, *Leaving, error) {
	if _, err := os.Stat(p.Key); err == nil && sent != nil && sent.Now != nil {
		return nil, nil, fit.Unsuited("%s has hidden sums of a study: go on with it by ‹with›, or begin a new one with another ‹key›, or with this file taken away", p.Key)
	}
	return p.first(ctx, about)
}

// next does a later round.
func (p Part) next(ctx context.Context, about json.RawMessage, sent *exchange.File) (*exchange.File, *Leaving, error) {
	f, err := exchange.Load(p.With)
	if err != nil {
		return nil, nil, err
	}
	key, err := exchange.OpenKey(p.Key)
	if err != nil {
		return nil, nil, err
	}
	h, err := exchange.NewHand(f, key)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", p.With, err)
	}
	if err := p.agrees(f, about); err != nil {
		return nil, nil, err
	}
	if err := f.Follow(sent); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", p.With, err)
	}
	m, err := p.Order.Together(ctx, f, h)
	switch {
	case err == nil:
		m.Close()
		return nil, nil, fmt.Errorf("%s: %w: write the run with \"moiety fit %s -o RUN\"", p.With, errAllDone, p.With)
	case !errors.Is(err, exchange.ErrCarry) || h.Next == nil:
		return nil, nil, err
	}
	n := h.Next
	if err := n.Again(sent); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", p.With, err)
	}
	return n, NewLeaving(*n.Now, len(n.Done)+1, len(n.Sum), n.Open && !n.Hidden, len(n.Sites), p.Site), nil
}

// agrees refuses totals of other settings than this site was given. That sums are sent
// openly is for a site to say, and not for a file that it gets.
func (p Part) agrees(f *exchange.File, about json.RawMessage) error {
	switch {
	case !bytes.Equal(f.Study, about):
		return fit.Unsuited("%s was made with other settings: give the flags of the first round", p.With)
	case f.Open && !p.Open:
		return fit.Unsuited("%s asks for open sums, which whoever gets them can read, and this site did not: ask who made it, and write ‹open› if that is meant", p.With)
	case !f.Open && p.Open:
		return fit.Unsuited("%s asks for hidden sums, and this site for open ones: leave ‹open› out", p.With)
	}
	return nil
}

// First makes the file by which a site joins a study.
func (p Part) First(ctx context.Context) (*exchange.File, *Leaving, error) {
	about, err := StudyOf(p.Order)
	if err != nil {
		return nil, nil, err
	}
	return p.first(ctx, about)
}

var errAllDone = errors.New("all rounds are done, and nothing is left to sum up")

// first makes the file of the first round: what the records are and the names of
// features that enough of them have.
func (p Part) first(ctx context.Context, about json.RawMessage) (*exchange.File, *Leaving, error) {
	var here *encode.Tally
	o := p.Order
	o.Encode.Agree = func(_ context.Context, t *encode.Tally) (*encode.Tally, error) {
		here = t
		return nil, exchange.ErrCarry
	}
	_, err := Prepare(ctx, o, "")
	if source.IsEmpty(err) { // it cannot say what its records are, and tells no name
		return p.offer(about, offered{Empty: true}, 0, 0)
	}
	if !errors.Is(err, exchange.ErrCarry) {
		return nil, nil, err
	}
	health := o.Health || fit.IsHealth(here.Format, string(here.Plan.System), here.OfPatients)
	limit := o.SmallestCell(health)
	if int(here.Records) < limit {
		return nil, nil, fmt.Errorf("%w: fewer than %d records are here, and nothing of so few people may leave", fit.ErrTooLittle, limit)
	}
	t := offered{Offer: here.Least(limit), Health: health}
	t.Plan.Vote, t.Plan.Zeros = codes.Vote{}, codes.Zeros{} // they count single codes
	return p.offer(about, t, len(here.Names)-len(t.Names), limit)
}

// offer is the file in which a site says this, and the page beside it.
func (p Part) offer(about json.RawMessage, t offered, dropped, limit int) (*exchange.File, *Leaving, error) {
	key, fresh, err := p.key()
	if err != nil {
		return nil, nil, err
	}
	text, err := json.Marshal(t)
	if err != nil {
		return nil, nil, err
	}
	site := exchange.Site{Name: p.Site, Key: key.Public(), Open: text}
	f := &exchange.File{Study: about, Open: p.Open, Sites: []exchange.Site{site}}
	leaving := leavingNames(t, dropped, limit, p.Site)
	if fresh {
		leaving.NewKey = key.Text()
	}
	return f, leaving, nil
}

// key returns the key of the site, which is made where there is none.
func (p Part) key() (k *exchange.Key, fresh bool, err error) {
	if _, err := os.Stat(p.Key); errors.Is(err, fs.ErrNotExist) {
		k, err = exchange.NewKey()
		return k, true, err
	}
	k, err = exchange.OpenKey(p.Key)
	return k, false, err
}

// FewestSites is the least number of sites with records. The total of one is its sums, and
// of two each has those of the other. Who has records is what sites say of themselves.
const FewestSites = 3

// offersOf returns the offers of all sites together, where there are enough of them.
func offersOf(f *exchange.File) (all offered, err error) {
	var offers []encode.Offer
	var names []string
	keys := map[string]string{}
	for _, s := range f.Sites {
		if other, ok := keys[s.Key]; ok {
			return all, fmt.Errorf("run: %s and %s have one key: every site makes its own", other, s.Name)
		}
		keys[s.Key] = s.Name
		var t offered
		if err := json.Unmarshal(s.Open, &t); err != nil {
			return all, fmt.Errorf("run: what %s told cannot be read: %w", s.Name, err)
		}
		if t.Empty {
			continue
		}
		offers, names = append(offers, t.Offer), append(names, s.Name)
		all.Health = all.Health || t.Health
	}
	if len(offers) < FewestSites {
		return all, fmt.Errorf("run: %w: %s with records, of %s in all, and the sums of one would be bare to the others: %d sites with records or more join", fit.ErrTooLittle,
			count(len(offers), "site"), count(len(f.Sites), "site"), FewestSites)
	}
	all.Offer, err = encode.Unite(offers, names)
	return all, err
}
