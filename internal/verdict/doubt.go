package verdict

import "fmt"

// SplitDoubt says in words what speaks against one split of a tree over the
// groups; it is empty where nothing does. finer says that the split goes beyond
// the claim, stability is the agreement of two halves about it (negative: not
// measured), e how much worse records kept aside are described without it.
func (v *Verdict) SplitDoubt(finer bool, stability float64, e Evidence) string {
	switch {
	case finer && v.Groups == 1:
		return "This split was asked for; the records show one group."
	case finer:
		return fmt.Sprintf("This split was asked for; the records show %d groups, and these two are one of them.", v.Groups)
	case v.Sure:
		return ""
	case v.doubted(TooFew):
		return "Too few records to say that these are two groups."
	case v.doubted(OneLine):
		return "The two lie along one line; a gap between them is likely, not sure."
	case v.doubted(FewRecords):
		return "The evidence rests on few records."
	case e.Error > 0 && !e.clear():
		return "New records are described nearly as well where these two are one."
	case stability >= 0 && stability < steady:
		return fmt.Sprintf("Two halves of the records draw this line differently (agreement %.2f, where 1 is the same).", stability)
	case v.Records < sureRecords:
		return "Too few records to be sure of any split."
	}
	return ""
}

// Unsplit says why the best cut of a group was not made, which describes its
// records better by e.
func (v *Verdict) Unsplit(e Evidence) string {
	switch {
	case !e.clear():
		return "two parts would not describe new records better than one"
	case v.Groups > 1 && v.Plain || v.Range[1] > v.Groups:
		return "two parts would describe it somewhat better, but not clearly: more groups cannot be ruled out"
	}
	return "its records differ by degree: two parts would be slices with no gap between them"
}
