package table

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/bank/score"
)

// where returns the draws that a rule holds of.
func where(draws []judged, rule func(judged) bool) []judged {
	var some []judged
	for _, d := range draws {
		if rule(d) {
			some = append(some, d)
		}
	}
	return some
}

// number counts the draws that a rule holds of.
func number(draws []judged, rule func(judged) bool) int { return len(where(draws, rule)) }

// mean is the mean of a figure; of no draws it is 0.
func mean(draws []judged, figure func(judged) float64) float64 {
	sum := 0.0
	for _, d := range draws {
		sum += figure(d)
	}
	return sum / float64(max(1, len(draws)))
}

// share writes how many of the draws a rule holds of, such as "3/4".
func share(draws []judged, rule func(judged) bool) string {
	if len(draws) == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", number(draws, rule), len(draws))
}

// agreement writes how many numbers are right and the mean index beside the oracle's,
// such as "3/4, .81 of .95".
func agreement(draws []judged) string {
	if len(draws) == 0 {
		return ""
	}
	text := share(draws, judged.right) + ", " + decimals(mean(draws, func(j judged) float64 { return index(j.Alone) }))
	if draws[0].tried {
		text += " of " + decimals(mean(draws, reach))
	}
	return text
}

// told writes the mean index where the number was told, beside the oracle's.
func told(draws []judged) string {
	some := where(draws, func(j judged) bool { return j.Told != nil && j.tried })
	if len(some) == 0 {
		return ""
	}
	ari := mean(some, func(j judged) float64 { return index(*j.Told) })
	return decimals(ari) + " of " + decimals(mean(some, reach))
}

// reach is what the oracle of a draw reaches.
func reach(j judged) float64 { return j.reach }

// sureAndWrong writes how many sure answers are wrong, with its interval, and how many
// of them only by their members.
func sureAndWrong(draws []judged) string {
	sure := number(draws, func(j judged) bool { return j.Alone.Sure })
	if sure == 0 {
		return ""
	}
	wrong := number(draws, judged.sureWrong)
	low, high := score.Wilson(wrong, sure)
	text := fmt.Sprintf("%d, %s (%s to %s)", wrong, percent(float64(wrong)/float64(sure)), percent(low), percent(high))
	if members := number(draws, judged.sureByMembers); members > 0 {
		text += fmt.Sprintf(", %d by members", members)
	}
	return text
}

// seconds writes median, 95 % quantile and most of the CPU time left alone.
func seconds(draws []judged) string {
	if len(draws) == 0 {
		return ""
	}
	times := make([]float64, len(draws))
	for i, d := range draws {
		times[i] = d.Alone.CPU
	}
	slices.Sort(times)
	return fmt.Sprintf("%.2f, %.1f, %.1f", quantile(times, 0.5), quantile(times, 0.95), times[len(times)-1])
}

// quantile is the smallest of the sorted numbers that has at least the share p at or
// below it.
func quantile(sorted []float64, p float64) float64 {
	at := int(p*float64(len(sorted)) + 0.999999)
	return sorted[min(max(at-1, 0), len(sorted)-1)]
}

// failed writes how many fits failed.
func failed(draws []judged) string {
	n := 0
	for _, d := range draws {
		n += d.failures()
	}
	return strconv.Itoa(n)
}

// decimals writes a number with two decimals and without a leading zero, such as ".95".
func decimals(x float64) string {
	return strings.Replace(fmt.Sprintf("%.2f", x), "0.", ".", 1)
}

// percent writes a share in percent.
func percent(x float64) string {
	if x > 0 && x < 0.0995 {
		return fmt.Sprintf("%.1f %%", 100*x)
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}

// different returns the different values of a figure, sorted.
func different[T cmp.Ordered](draws []judged, figure func(judged) T) []T {
	var all []T
	for _, d := range draws {
		all = append(all, figure(d))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
