package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/private"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/warn"
)

// Privacy asks for differential privacy; the zero value asks for none.
type Privacy struct {
	Epsilon float64 `json:"epsilon,omitempty"`
	Delta   float64 `json:"delta,omitempty"` // 0 means a millionth
	Codes   int     `json:"codes,omitempty"` // most codes of a person that count; 0 means 10
	// OwnNoise has every site of a joined run add as much noise as one alone would.
	// Else they add one noise together, which only totals of hidden sums allow.
	OwnNoise bool `json:"own_noise,omitempty"`
}

// privately refuses what cannot be learned privately.
func (s Settings) privately(fam family.Family, data Training) error {
	switch {
	case data.Kind != record.Presence || data.Sequences || !fam.Info().Tree.Binary:
		return fmt.Errorf("fit: differential privacy is there for presences (codes a person has or has not) and their own model: leave ‹epsilon› out")
	case s.Over:
		return fmt.Errorf("fit: a tree over private groups would count people without noise: leave ‹tree› out")
	case s.method() != "auto" || s.Refine == None || s.Prior.Records() != Prior(0).Records():
		return fmt.Errorf("fit: a private fit has a way and a prior of its own: leave ‹method›, ‹refine› and ‹prior› out")
	}
	return nil
}

// Uncounted refuses to choose features of a private fit by exact counts.
func (o *Order) Uncounted() error {
	if e := o.Encode; o.Fit.Privacy.Epsilon > 0 && !(e.MinDF.IsZero() && e.MaxDF.IsZero() && e.Vocab.IsZero()) {
		return Unsuited("with ‹epsilon› nothing may tell how many records have a name: leave ‹min-df›, ‹max-df› and ‹vocab› out, and name features with ‹include› or ‹exclude›")
	}
	return nil
}

// flatPrivate fits groups that hardly change with any one person.
func flatPrivate(ctx context.Context, data Training, s Settings) (*Outcome, error) {
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		return nil, err
	}
	if err := s.privately(fam, data); err != nil {
		return nil, err
	}
	progress.Report(ctx, progress.Event{Step: "summing up with noise", Total: int64(data.Run.Can().Own), Unit: "records"})
	r, err := private.Fit(ctx, fam, data.Run, private.Settings{
		Groups: s.K, Epsilon: s.Privacy.Epsilon, Delta: s.Privacy.Delta, Codes: s.Privacy.Codes, Seed: s.Seed, Once: !s.Privacy.OwnNoise,
	})
	if errors.Is(err, private.ErrNoise) {
		return nil, fmt.Errorf("%w: %w", ErrTooLittle, err)
	}
	if err != nil {
		return nil, err
	}
	m, err := finish(fam, data, s, &start{}, &refine.Result{Params: r.Params})
	if err != nil {
		return nil, err
	}
	m.Provenance.Records, m.Provenance.Data = int(math.Round(r.Records)), "" // with noise; a fingerprint has none
	m.Provenance.Warnings = append(m.Provenance.Warnings, warn.New(warn.Note, "private",
		s.Privacy.share(data.Run.Can().Places),
		"The groups were learned with differential privacy, ε = %v, δ = %v, at most %d codes a person: they hardly change with any one person. "+
			"The names of the codes are taken to be public, and noise differs from run to run.%s", s.Privacy.Epsilon, s.Privacy.delta(), s.Privacy.codes(), s.Privacy.sites(data.Run.Can().Places)))
	return place(ctx, fam, m, data)
}

// share says what may be shared.
func (p Privacy) share(places int) string {
	if places > 1 {
		return "Share the model (moiety export --to model). The report of the study counts records drawn from the model; that of a site counts its own, and stays there."
	}
	return "Share the model (moiety export --to model), and not the counts of the report, which are of the records themselves."
}

// sites says who added the noise.
func (p Privacy) sites(places int) string {
	switch {
	case places <= 1:
		return ""
	case p.OwnNoise:
		return fmt.Sprintf(" Each of the %d sites added noise of its own.", places)
	}
	return fmt.Sprintf(" The %d sites added one noise together: it holds for whoever sees totals, one of the sites too, and neither for two sites that put theirs together nor for a coordinator who hands out keys of his own.", places)
}

func (p Privacy) delta() float64 {
	if p.Delta == 0 {
		return private.DefaultDelta
	}
	return p.Delta
}

func (p Privacy) codes() int {
	if p.Codes == 0 {
		return private.DefaultCodes
	}
	return p.Codes
}
