package fit

import (
	"fmt"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/pass"
)

// way is the runner as the settings want sums and samples.
func (s Settings) way(run pass.Runner) pass.Runner {
	if s.Double {
		run = pass.Double(run)
	}
	if s.Sooner > 1 {
		run = pass.Sooner(run, s.Sooner)
	}
	return run
}

// JoinsTree refuses a number of groups that would be judged over sites where that
// cannot be: for a way to split that looks at records, and with open sums, whose sums
// over a few records of one site would show these.
func (o *Order) JoinsTree(open bool) error {
	switch {
	case !o.IsTree():
	case !o.Fit.decides():
		return Unsuited("a tree is split where all records are in one place: ask for a number of groups with ‹groups› and ‹tree›, or leave the way to split out")
	case open:
		return Unsuited("how many groups there are is judged by sums over few records, which open sums would show: hide the sums (leave ‹open› out), or ask for a number of groups with ‹groups›")
	}
	return nil
}

// joins refuses, where records lie at several places, what would not give there
// what it gives in one: models that were never shown to, and whatever looks at
// records one by one.
func (s Settings) joins(fam family.Family, data Training) error {
	if data.Run.Can().Places <= 1 {
		return nil
	}
	info := fam.Info()
	switch {
	case !info.Joins:
		return fmt.Errorf("fit: the records lie at several places, and the model %s was never shown to give there what it gives in one: "+
			"choose another model, or bring the records together", info.Name)
	case s.Prior < 0 && s.Refine != None && family.QuestionsOf(fam, data.Run.Dim()) != nil:
		return fmt.Errorf("fit: maximum likelihood (‹prior› 0) searches from many starts where all records are in one place, and these lie at several: " +
			"leave ‹prior› out")
	}
	return nil
}
