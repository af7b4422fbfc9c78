package exchange

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/pass"
)

// ErrCarry ends a fit whose next round has to be carried to the other sites
// first.
var ErrCarry = errors.New("another round is needed: let every site sum up once more")

// Hand is an exchange by files that people carry: totals of rounds that are done
// are read from a file, and the first round that is not ends the fit with
// ErrCarry and leaves the numbers of this site in Next.
type Hand struct {
	file *File
	key  *Key
	site int
	at   int
	hide bool
	// Next is the file to send, once a fit has ended with ErrCarry.
	Next *File
}

// NewHand returns the exchange of the site with that key. Without a key nobody
// takes part: the rounds that are done are all there is.
func NewHand(f *File, key *Key) (*Hand, error) {
	h := &Hand{file: f, key: key}
	if !f.Complete() {
		return nil, fmt.Errorf("the totals are not complete: %s missing", f.Missing())
	}
	if key == nil {
		return h, nil
	}
	if h.site = slices.IndexFunc(f.Sites, func(s Site) bool { return s.Key == key.Public() }); h.site < 0 {
		return nil, errors.New("this site is not in the study: its key is not the one of the first round; name the right one with ‹key›")
	}
	return h, nil
}

// Places implements pass.Exchange.
func (h *Hand) Places() (place, places int) { return h.site, len(h.file.Sites) }

// Known implements pass.Exchange.
func (h *Hand) Known(r pass.Round) ([]float64, bool, error) {
	if h.at >= len(h.file.Done) {
		return nil, false, nil
	}
	done := h.file.Done[h.at]
	if why := r.Differs(done.Round); why != "" {
		return nil, false, fmt.Errorf("exchange: this site is out of step with the totals in round %d: %s", r.Number, why)
	}
	h.at++
	return floats(done.Sum), true, nil
}

// Add implements pass.Exchange.
func (h *Hand) Add(_ context.Context, r pass.Round, x []float64) ([]float64, error) {
	if h.key == nil {
		return nil, ErrCarry
	}
	sum, err := fixed(x)
	if err != nil {
		return nil, err
	}
	if !h.file.Open || h.hide {
		if err := h.key.mask(sum, h.file.Sites, h.site, r); err != nil {
			return nil, err
		}
	}
	next := *h.file
	next.Now, next.In, next.Sum, next.Hidden = &r, []int{h.site}, sum, h.hide
	h.Next = &next
	return nil, ErrCarry
}

// Secret implements pass.Exchange.
func (h *Hand) Secret(r pass.Round, x []float64) ([32]byte, error) {
	if h.key == nil {
		return [32]byte{}, ErrCarry
	}
	return h.key.secret(r, x)
}

// Hide hides the numbers of the rounds that follow, in a study of open sums too.
func (h *Hand) Hide() { h.hide = true }

// Leave implements pass.Exchange; the others wait for no one.
func (h *Hand) Leave(error) {}

// Unused reports totals that the fit did not ask for: it is not the one they
// were made for.
func (h *Hand) Unused() bool { return h.at < len(h.file.Done) }
