package fit

import (
	"context"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// noteBetween warns where people lie between groups of genotypes: a model of shares then says
// more of them than one group each. Where their records lie at several places nobody asks.
func noteBetween(ctx context.Context, o *Outcome, data Training) error {
	if data.Vocab.System != vocab.Genotypes || data.Sequences || o.Model == nil || o.K() < 2 || data.Run.Can().Own != data.Run.Len() {
		return nil
	}
	fam, err := o.Model.Family()
	if err != nil {
		return err
	}
	trials, ok := o.Model.Params.Extra[fam.Info().In(family.Trials)]
	if !ok {
		return nil
	}
	_, between, err := verdict.Between(ctx, data.Run, o.Model.Params, trials.At(0, 0))
	if err != nil || !between {
		return err
	}
	from := &o.Model.Provenance
	if o.Tree != nil {
		from = &o.Tree.Provenance
	}
	from.Warnings = append(from.Warnings, warn.New(warn.Caution, "between-groups",
		"For everybody's shares of the groups, fit with --model lda.",
		"Individuals lie between the groups: shares of two groups predict their alleles better than one group does. Groups of which everybody has one are another model."))
	return nil
}
