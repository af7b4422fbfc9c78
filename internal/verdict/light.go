package verdict

import "fmt"

// When a claim is sure. Where it is, two independent samples of this size give
// the same number of groups and place a third alike (ARI of .9 or more) in at
// least 95 of 100 pairs: experiments verdict-green measures it. The constants
// were chosen on pairs of samples of the laws there, seeds 201 to 206; what each
// cures: groups that overlap (steady), small groups that the next sample does
// not show (least), heaps on one line that the next sample takes for one line.
const (
	sureRecords  = 200 // below which nothing is sure
	steady       = .92 // agreement of halves from which groups are found again
	steadyOfFew  = .95 // the same where there are few records
	leastSure    = 80  // records of the smallest group, of those looked at
	foundAgain   = .2  // agreement of halves below which groups are not claimed
	nearlySteady = .8  // agreement that is no surprise to a reader
)

// steadyDoubts lists what speaks against finding the groups of a candidate again
// in other records of the same kind.
func (v *Verdict) steadyDoubts(c candidate, parts [2]int, w Words) {
	if c.groups == 1 {
		return
	}
	add := func(code, text string, args ...any) {
		v.Against = append(v.Against, Doubt{code, fmt.Sprintf(text, args...)})
	}
	bound := steady
	if v.Records < fewRecords {
		bound = steadyOfFew
	}
	switch {
	case v.Found != nil && v.Found.fewHalves:
		add(NotRepeated, "There are too few %s for so many %s to see whether halves of them show the same groups.", w.Records, w.Features)
	case v.Repeat < nearlySteady:
		add(NotRepeated, "Two halves of the %s do not find the same groups (agreement %.2f, where 1 is the same).", w.Records, v.Repeat)
	case v.Repeat < bound:
		add(NotRepeated, "Two halves of the %s do not find quite the same groups (agreement %.2f, where 1 is the same).", w.Records, v.Repeat)
	}
	if c.kind == twoHeaps {
		add(OneLine, "The two groups lie along one line; that there is a gap between them is likely, not sure.")
	}
	switch {
	case parts[0] == parts[1] && parts[0] != c.groups:
		add(Differ, "Either half of the %s by itself would show %s.", w.Records, groupsOf(parts[0]))
	case parts[0] != parts[1]:
		add(Differ, "Of two halves of the %s by themselves, one would show %s and the other %d.", w.Records, groupsOf(parts[0]), parts[1])
	}
	if v.Found != nil && v.Found.smallest < leastSure {
		add(SmallGroup, "The smallest group is so small that other %s of the same kind may not show it.", w.Records)
	}
}

func groupsOf(n int) string {
	if n == 1 {
		return "1 group"
	}
	return fmt.Sprintf("%d groups", n)
}

// unsteady reports that other records of the same kind may show other groups.
func (v *Verdict) unsteady() bool {
	for _, code := range []string{NotRepeated, OneLine, Differ, SmallGroup, ByShape} {
		if v.doubted(code) {
			return true
		}
	}
	return false
}

// parts returns the numbers of groups that two parts of the records kept aside
// would claim, each alone.
func (j *judge) parts() [2]int {
	middle := len(j.folds) / 2
	return [2]int{j.only(0, middle).decide().groups, j.only(middle, len(j.folds)).decide().groups}
}

// only is the judge that has seen the records of some folds.
func (j *judge) only(from, to int) *judge {
	out := *j
	out.from, out.to = from, to
	return &out
}
