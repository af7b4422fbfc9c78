package simulators

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/bank/law"
)

// fixed writes a number with the given decimals, without a negative zero.
func fixed(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.HasPrefix(s, "-") && strings.Trim(s, "-0.") == "" {
		return s[1:]
	}
	return s
}

func whole(i int) string { return strconv.Itoa(i) }

// bit writes 1 for true and 0 for false.
func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// choose draws one of the given strings.
func choose(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

// numbered is p names from a prefix: q1, q2, …
func numbered(prefix string, p int) []string {
	names := make([]string, p)
	for i := range names {
		names[i] = prefix + whole(i+1)
	}
	return names
}

// padded is p names from a prefix: item_01, item_02, …
func padded(prefix string, p int) []string {
	names := make([]string, p)
	width := len(whole(p))
	for i := range names {
		names[i] = fmt.Sprintf("%s%0*d", prefix, max(2, width), i+1)
	}
	return names
}

// itemNames draws a manner to name the p items of a questionnaire.
func itemNames(r *rand.Rand, p int) []string {
	switch r.IntN(4) {
	case 0:
		return numbered("q", p)
	case 1:
		return padded("item_", p)
	case 2:
		return numbered(choose(r, "Q", "V", "I"), p)
	default:
		return padded(choose(r, "scale_", "qol", "phq_", "s"), p)
	}
}

// namesFrom takes p names from a pool in random order, or numbers them where the
// pool is too small.
func namesFrom(r *rand.Rand, pool []string, p int) []string {
	if p > len(pool) || r.IntN(4) == 0 {
		return numbered(choose(r, "x", "V", "var", "m"), p)
	}
	names := make([]string, p)
	for i, j := range subset(r, len(pool), p) {
		names[i] = pool[j]
	}
	return names
}

var bodyNames = []string{
	"height", "weight", "waist", "hip", "bmi", "sbp", "dbp", "heart_rate", "glucose", "hba1c", "ldl", "hdl",
	"triglycerides", "creatinine", "albumin", "crp", "ferritin", "tsh", "vitamin_d", "grip_strength",
	"fev1", "sodium", "potassium", "calcium", "hemoglobin", "platelets", "wbc", "alt", "ast", "bilirubin",
}

var chemNames = []string{
	"alcohol", "ash", "magnesium", "phenols", "flavonoids", "hue", "proline", "acidity", "sulphates", "chlorides",
	"density", "ph", "iron", "zinc", "copper", "lead", "nickel", "silica", "alumina", "lime", "soda", "potash",
	"barium", "palmitic", "stearic", "oleic", "linoleic", "arachidic", "tannin", "turbidity", "nitrate", "phosphate",
}

var shapeNames = []string{
	"sepal_length", "sepal_width", "petal_length", "petal_width", "bill_length", "bill_depth", "flipper_length",
	"frontal_lip", "rear_width", "carapace_length", "carapace_width", "body_depth", "perimeter", "area",
	"compactness", "kernel_length", "kernel_width", "asymmetry", "groove_length", "eccentricity", "solidity",
}

// pool draws one of the pools of names of measurements.
func pool(r *rand.Rand) []string {
	switch r.IntN(3) {
	case 0:
		return bodyNames
	case 1:
		return chemNames
	default:
		return shapeNames
	}
}

// decimalsFor is the decimals that keep about three digits of a spread.
func decimalsFor(sd float64) int {
	if sd <= 0 {
		return 2
	}
	return min(5, max(0, 2-int(math.Floor(math.Log10(sd)))))
}

func meanAndSD(x matrix, column int) (mean, sd float64) {
	for i := range x {
		mean += x[i][column]
	}
	mean /= float64(len(x))
	for i := range x {
		d := x[i][column] - mean
		sd += d * d
	}
	return mean, math.Sqrt(sd / float64(len(x)))
}

// measured writes rows of real numbers as a table. With units, each column is moved
// and stretched to a unit of its own, as real measurements have; the shape of the
// cloud but for that stays the same.
func measured(r *rand.Rand, names []string, x matrix, group []int, units bool) law.Data {
	data := law.Data{Columns: names, Table: make([][]string, len(x)), Group: group}
	for i := range x {
		data.Table[i] = make([]string, len(names))
	}
	for j := range names {
		_, sd := meanAndSD(x, j)
		stretch, origin := 1.0, 0.0
		if units && sd > 0 {
			stretch = math.Pow(10, uniform(r, -0.5, 1.7)) / sd
			origin = stretch * sd * uniform(r, 3, 8)
		}
		decimals := decimalsFor(sd * stretch)
		for i := range x {
			data.Table[i][j] = fixed(origin+stretch*x[i][j], decimals)
		}
	}
	return data
}

// labelled writes a table of answers: the codes of column j are words in labels[j].
func labelled(names []string, codes [][]int, labels [][]string, group []int) law.Data {
	data := law.Data{Columns: names, Table: make([][]string, len(codes)), Group: group}
	for i, row := range codes {
		data.Table[i] = make([]string, len(row))
		for j, c := range row {
			data.Table[i][j] = labels[j][c]
		}
	}
	return data
}

// wholeTable writes a table of whole numbers, each raised by first.
func wholeTable(names []string, codes [][]int, first int, group []int) law.Data {
	data := law.Data{Columns: names, Table: make([][]string, len(codes)), Group: group}
	for i, row := range codes {
		data.Table[i] = make([]string, len(row))
		for j, c := range row {
			data.Table[i][j] = whole(c + first)
		}
	}
	return data
}

// blank empties cells at random, each with the given probability, but leaves each
// row at least half of its cells.
func blank(r *rand.Rand, data law.Data, p float64) law.Data {
	for _, row := range data.Table {
		gone := 0
		for j := range row {
			if 2*(gone+1) <= len(row) && bernoulli(r, p) {
				row[j] = ""
				gone++
			}
		}
	}
	return data
}

// words makes v different pronounceable words.
func words(r *rand.Rand, v int) []string {
	onsets := []string{"b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "dr", "kl", "pr", "st", "tr", "sh", "ch"}
	vowels := []string{"a", "e", "i", "o", "u", "ai", "ea", "ou"}
	codas := []string{"", "", "", "n", "r", "l", "s", "m", "nd", "rt", "st"}
	seen := map[string]bool{}
	list := make([]string, 0, v)
	for len(list) < v {
		var b strings.Builder
		for range between(r, 2, 3) {
			b.WriteString(onsets[r.IntN(len(onsets))])
			b.WriteString(vowels[r.IntN(len(vowels))])
		}
		b.WriteString(codas[r.IntN(len(codas))])
		if w := b.String(); !seen[w] {
			seen[w] = true
			list = append(list, w)
		}
	}
	return list
}

// prose joins words to a document: plain, or in sentences with capitals and stops.
func prose(r *rand.Rand, list []string, sentences bool) string {
	if !sentences {
		return strings.Join(list, " ")
	}
	var b strings.Builder
	left := 0
	for i, w := range list {
		if left == 0 {
			left = between(r, 5, 14)
			if i > 0 {
				b.WriteString(" ")
			}
			b.WriteString(strings.ToUpper(w[:1]) + w[1:])
		} else {
			b.WriteString(" " + w)
		}
		left--
		if left == 0 || i == len(list)-1 {
			b.WriteString(".")
		}
	}
	return b.String()
}
