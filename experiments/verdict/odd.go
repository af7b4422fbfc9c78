package verdict

import (
	"context"
	"io"
	"slices"
)

// oddFrom is the first seed of the table of odd laws; 131001 was looked at once.
const oddFrom = 132001

// Odd prints the table of laws that were written after all others, of every kind: what
// surveys, shops, registers, laboratories and families do to records. Seeds 130001 and
// 130002 were looked at while rules were mended. Full uses six seeds.
func Odd(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 2, []int{300, 2000}
	if full {
		seeds = 6
	}
	if err := tabled(ctx, w, OddLaws(), seedsFrom(ctx, oddFrom, seeds), sizes); err != nil {
		return err
	}
	var all []Case
	sizes = []int{60, 400}
	for _, n := range sizes {
		some := part{walks: OddWalks()}.draws(seedsFrom(ctx, oddFrom, seeds), n)
		if err := judgeAll(ctx, some); err != nil {
			return err
		}
		all = append(all, some...)
	}
	all = done(all)
	slices.SortStableFunc(all, byLaw)
	laws(w, all, sizes)
	goals(w, all, sizes)
	return nil
}

// OddLaws are those of records.
func OddLaws() []Law {
	return oddly(slices.Concat(oddCodes(), oddAnswers(), oddCounts(), oddMeasured(), oddScatter(), oddMistakes(), oddMixed(), oddTexts(), oddAlleles()))
}

// oddly names laws as odd ones.
func oddly(list []Law) []Law {
	for i := range list {
		list[i].Name = "odd: " + list[i].Name
		list[i].Groups = max(list[i].Groups, 1)
	}
	return list
}
