package verdict

import "fmt"

// reason says why in one or two plain sentences.
func (f *bagFound) reason(w Words, v *Verdict) string {
	switch {
	case v.Groups == 1 && f.sets != nil:
		return byDegree(inSets, w, true)
	case v.Groups > 1 && f.components > v.Groups:
		return fmt.Sprintf("%s that were kept aside fall into %d groups with a gap between them. Inside the groups they differ by degree.", capital(w.Records), v.Groups)
	case v.Groups > 1:
		return fmt.Sprintf("%s that were kept aside fall into %d groups with a gap between them.", capital(w.Records), v.Groups)
	case f.components == 1 && f.trials > 0:
		return fmt.Sprintf("No groups: the %s do not go together.", w.Features)
	case f.components == 1:
		return fmt.Sprintf("%s differ in how many %s they have, not in which.", capital(w.Records), w.Features)
	}
	return fmt.Sprintf("%s differ by degree; there is no gap between them.", capital(w.Records))
}

// shortRecord is the number of counts below which a record tells little.
const shortRecord = 50

// doubts lists what speaks against the claim; overlap says that nothing widens the range but
// groups that may overlap.
func (f *bagFound) doubts(v *Verdict, w Words, lost, overlap bool) {
	if overlap && !lost {
		v.Against = append(v.Against, overlapping(v, "patterns", w))
	} else {
		v.doubts(w, false, false, lost)
	}
	v.steadyDoubts(candidate{groups: v.Groups}, f.parts, w)
	if v.Groups == 1 && f.components > 1 {
		v.Against = append(v.Against, Doubt{ByDegree, fmt.Sprintf("%d patterns describe the %s best, and shade into each other: a useful description, not groups (-k %d).", f.components, w.Records, f.components)})
	}
	if size := f.meanSize(); v.Groups == 1 && f.trials == 0 && size < shortRecord {
		v.Against = append(v.Against, Doubt{ShortRecords, fmt.Sprintf("The %s are short: with %.0f %s each, groups may be there and not show.", w.Records, size, w.Features)})
	}
	if f.sets != nil && v.Groups > 1 {
		v.Against = append(v.Against, Doubt{NotAsked, fmt.Sprintf("Some %s come in sets; where all of a set are 0 it was taken for not asked for.", w.Features)})
	}
	if f.kin {
		v.Against = append(v.Against, Doubt{NearKin, fmt.Sprintf("Many %s are near kin of others; of such the first was counted.", w.Records)})
	}
	if f.equal {
		v.Against = append(v.Against, Doubt{EqualOnes, fmt.Sprintf("Many %s are equal beyond chance; equal ones were counted once.", w.Records)})
	}
}

// overlapping is the doubt where refused cuts have shallow valleys.
func overlapping(v *Verdict, things string, w Words) Doubt {
	said := "There may be groups that overlap: from %d to %d can be defended; %d patterns describe the %s best."
	if things == "clouds" {
		said = "There may be groups that overlap: from %d to %d can be defended; %d clouds describe the %s best."
	}
	return Doubt{Overlap, fmt.Sprintf(said, v.Range[0], v.Range[1], v.Components, w.Records)}
}
