package codes

import (
	"math"
	"strings"
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
	mostHeard  = 400  // values that are looked at
)

// Evidence returns the log-odds that values are diagnosis codes and not numbers
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

// heard weighs whether a value is known against how often it would be by chance.
func heard(known bool, chance float64) float64 {
	if known {
		return math.Log(codesKnown / chance)
	}
	return math.Log((1 - codesKnown) / (1 - chance))
}
