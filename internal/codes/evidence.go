package codes

import (
	"math"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
)

// How often plain numbers of so many digits are found in the ICD-9 table by
// chance (all numbers of that length, counted), and how often codes of a data
// set are.
var byChance = [...]float64{3: 0.928, 4: 0.560, 5: 0.082}

const (
	codesKnown = 0.95
	strange    = -3   // log-odds of a value that has no form of a code
	doubted    = -0.4 // of a code that lost its zeros
	lettered   = 3    // of a known code that begins with a letter
	shaped     = 1.5  // of a value of the form of ICD-10
	operation  = 2.5  // of a value of the form of OPS, as German hospitals code what is done
	drug       = 3    // of a value of the form of ATC
	concept    = 6    // of a SNOMED CT concept, whose check digit fits
	mostHeard  = 400  // values that are looked at
)

// Evidence returns the log-odds that values are codes of medicine and not numbers
// or names of another kind: nearly every number of three digits is a code by
// chance and says nothing, one of five digits says much. The values are
// different ones, as they are written.
func Evidence(values []string) float64 {
	sum, tens, letters := 0.0, 0, map[byte]bool{}
	for _, v := range values[:min(len(values), mostHeard)] {
		key := Normalize(v)
		switch whole, _, dotted := strings.Cut(strings.TrimSpace(v), "."); {
		case key == "" || strings.ContainsAny(v, " /"):
			sum += strange
		case isConcept(strings.TrimSpace(v)):
			sum += concept
		case ops.MatchString(strings.TrimSpace(v)):
			sum += operation
		case atc.MatchString(strings.TrimSpace(v)):
			sum += drug
		case allDigits(key) && dotted && len(whole) < 3 && len(key) < 5: // 38.9 may be 038.9
			full := strings.Repeat("0", 3-len(whole)) + key
			sum += doubted + heard(Known(ICD9, full), byChance[min(len(full), 5)])
		case allDigits(key) && !dotted && len(key) < 3:
			sum += doubted
		case allDigits(key) && (len(key) > 5 || dotted && len(whole) != 3):
			sum += strange
		case allDigits(key):
			sum += heard(Known(ICD9, key), byChance[len(key)])
		case (key[0] == 'V' || key[0] == 'E') && Known(ICD9, key):
			sum += lettered
		case shape10(key):
			tens++
			letters[key[0]] = true
		default:
			sum += strange
		}
	}
	if len(letters) >= 3 { // one letter with numbers is a numbering
		return sum + shaped*float64(tens)
	}
	return sum + float64(strange*tens)
}

// ops are procedures of the German catalogue, such as 5-470.11.
var ops = pattern.New(`^[135689]-\d[0-9a-z]{2}(\.[0-9a-z]{1,2})?$`)

// atc are drugs by their anatomical, therapeutic and chemical class, such as C09AA05.
var atc = pattern.New(`^[ABCDGHJLMNPRSV]\d\d[A-Z]{2}\d\d$`)

// isConcept reports the number of a SNOMED CT concept: two digits that say so before
// a check digit by Verhoeff, which fits by chance in one number of five hundred.
func isConcept(v string) bool {
	n := len(v)
	if n < 6 || n > 18 || v[0] == '0' || !allDigits(v) || v[n-2] != '0' || v[n-3] != '0' && v[n-3] != '1' {
		return false
	}
	check := 0
	for i := range n {
		check = verhoeff(check, turned(i, int(v[n-1-i]-'0')))
	}
	return check == 0
}

// verhoeff multiplies in the group of the turns and mirrors of a pentagon.
func verhoeff(a, b int) int {
	switch {
	case a < 5 && b < 5:
		return (a + b) % 5
	case a < 5:
		return 5 + (a+b)%5
	case b < 5:
		return 5 + (a-b)%5
	}
	return (a - b + 5) % 5
}

// turned is the permutation of Verhoeff's scheme, applied so many times.
func turned(times, digit int) int {
	for range times % 8 {
		digit = [...]int{1, 5, 7, 6, 2, 8, 3, 0, 9, 4}[digit]
	}
	return digit
}

// heard weighs whether a value is known against how often it would be by chance.
func heard(known bool, chance float64) float64 {
	if known {
		return math.Log(codesKnown / chance)
	}
	return math.Log((1 - codesKnown) / (1 - chance))
}
