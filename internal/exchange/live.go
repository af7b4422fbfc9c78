package exchange

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/pass"
)

// Carrier takes what a site sends to the coordinator of a study, and brings totals
// back: by a folder, by HTTP.
type Carrier interface {
	// Send hands over the numbers of this site for a round. Sending the same again
	// is no error.
	Send(ctx context.Context, p *Post) error
	// Next waits for the total of the next round and adds it to the file.
	Next(ctx context.Context, f *File) error
}

// Live is the exchange of a site of a study: totals of rounds that are done are
// known, the numbers of the next one are sent, and the site waits for its total or,
// where nobody waits, the fit ends with ErrCarry.
type Live struct {
	file    *File
	key     *Key
	site    int
	at      int
	carrier Carrier
	wait    bool
	hide    bool
	sent    bool
	left    bool
}

// NewLive returns the exchange of the site with that key.
func NewLive(f *File, key *Key, c Carrier, wait bool) (*Live, error) {
	l := &Live{file: f, key: key, carrier: c, wait: wait}
	l.site = slices.IndexFunc(f.Sites, func(s Site) bool { return s.Key == key.Public() })
	if l.site < 0 {
		return nil, errors.New("this site is not in the study: its key is none of those that joined")
	}
	return l, nil
}

// Places implements pass.Exchange.
func (l *Live) Places() (place, places int) { return l.site, len(l.file.Sites) }

// Hide hides the numbers of the rounds that follow, in a study of open sums too.
func (l *Live) Hide() { l.hide = true }

// Rounds returns how many rounds are done.
func (l *Live) Rounds() int { return len(l.file.Done) }

// Sent reports that numbers were handed over, whose total nobody waited for.
func (l *Live) Sent() bool { return l.sent }

// Known implements pass.Exchange.
func (l *Live) Known(r pass.Round) ([]float64, bool, error) {
	if l.at >= len(l.file.Done) {
		return nil, false, nil
	}
	done := l.file.Done[l.at]
	if why := r.Differs(done.Round); why != "" {
		return nil, false, fmt.Errorf("exchange: this site is out of step with the totals in round %d: %s", l.at+1, why)
	}
	l.file.Done[l.at].Sum = nil // a study has thousands of rounds, and each is asked for once
	l.at++
	return floats(done.Sum), true, nil
}

// Add implements pass.Exchange.
func (l *Live) Add(ctx context.Context, r pass.Round, x []float64) ([]float64, error) {
	sum, err := fixed(x)
	if err != nil {
		return nil, err
	}
	p := &Post{Number: l.file.Number, Mode: Open, Site: l.file.Sites[l.site].Name, Round: r, Sum: sum}
	if !l.file.Open || l.hide {
		p.Mode = Secure
		if err := l.key.mask(sum, l.file.Sites, l.site, r); err != nil {
			return nil, err
		}
	}
	if err := l.carrier.Send(ctx, p); err != nil {
		return nil, err
	}
	if !l.wait {
		l.sent = true
		return nil, ErrCarry
	}
	if err := l.carrier.Next(ctx, l.file); err != nil {
		return nil, err
	}
	total, known, err := l.Known(r)
	if err == nil && !known {
		err = errors.New("exchange: the totals that came are not those of a new round")
	}
	return total, err
}

// Secret implements pass.Exchange.
func (l *Live) Secret(r pass.Round, x []float64) ([32]byte, error) { return l.key.secret(r, x) }

// Leave implements pass.Exchange: the others are told that this site ended with an
// error, and not why, for errors speak of records.
func (l *Live) Leave(err error) {
	if err == nil || errors.Is(err, ErrCarry) || errors.Is(err, context.Canceled) || !l.wait || l.left {
		return
	}
	l.left = true
	p := &Post{Number: l.file.Number, Mode: Secure, Site: l.file.Sites[l.site].Name, Failed: true}
	_ = l.carrier.Send(context.Background(), p) // the error itself is what counts
}
