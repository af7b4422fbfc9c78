package fit

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
)

// undecided reports that neither the user nor the kind of the records says whether
// counts mix patterns or have one each: both models are for them.
func (s Settings) undecided(data Training) bool {
	if !s.Spec.IsAuto() || data.Kind != record.Counts || data.Sequences || s.K < 2 || s.Spec.Alpha0 > 0 {
		return false
	}
	info, ok := Auto(data, false).Info()
	return ok && info.Soft && data.Run.Can().Release == nil
}

// evident names the model of counts for a number of groups that was asked for: the
// one that predicts the other half of the counts of new records. It is nil where
// that is not open, or there are too few records to tell.
func (s Settings) evident(ctx context.Context, data Training) (*model.Choice, error) {
	if !s.undecided(data) {
		return nil, nil
	}
	quiet := progress.With(ctx, nil) // the fits of halves are not this one
	progress.Report(ctx, progress.Event{Step: "judging whether records mix groups"})
	o := verdict.Settings{Seed: s.Seed, Workers: s.Workers}
	m, err := verdict.Mix(quiet, data.Run, s.K, data.documents(), s.mixed(data), o)
	if err != nil || m == nil {
		return nil, err
	}
	mixes := Auto(data, false)
	c := &model.Choice{Model: mixes.Model, Over: mixes.Splits(), Nats: m.Gain.Nats, Error: m.Gain.Error}
	if !m.Mixed {
		c.Model, c.Over, c.Nats = c.Over, c.Model, -c.Nats
	}
	c.Reason = mixWords(data, m.Mixed, c.Over)
	return c, nil
}

// mixWords says which explanation was chosen, why, and how to have the other.
func mixWords(data Training, mixed bool, other string) string {
	records, group, counts := "records", "group", "counts"
	if data.documents() {
		records, group, counts = "documents", "topic", "words"
	}
	if mixed {
		return fmt.Sprintf("The %[1]s mix several %[2]ss each: that predicts the %[3]s of new %[1]s better than one %[2]s each does (--model %[4]s for one each).", records, group, counts, other)
	}
	return fmt.Sprintf("The %[1]s are of one %[2]s each: mixing several does not predict the %[3]s of new %[1]s clearly better (--model %[4]s to mix them).", records, group, counts, other)
}
