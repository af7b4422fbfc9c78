package fit

import (
	"fmt"

	"github.com/moiety-go/moiety/family"
)

// joins refuses, where records lie at several places, what would not give there
// what it gives in one: models that were never shown to, and whatever looks at
// records one by one.
func (s Settings) joins(fam family.Family, data Data) error {
	if data.Run.Can().Places <= 1 {
		return nil
	}
	info := fam.Info()
	switch {
	case s.wantsShape(data):
		return fmt.Errorf("fit: the shape of groups of measurements is chosen where all records are in one place, and these lie at several: " +
			"ask for spherical groups (‹covariance› spherical)")
	case !info.Joins:
		return fmt.Errorf("fit: the records lie at several places, and the model %s was never shown to give there what it gives in one: "+
			"choose another model, or bring the records together", info.Name)
	case s.Prior < 0 && s.Refine != None && family.QuestionsOf(fam, data.Run.Dim()) != nil:
		return fmt.Errorf("fit: maximum likelihood (‹prior› 0) searches from many starts where all records are in one place, and these lie at several: " +
			"leave ‹prior› out")
	}
	return nil
}
