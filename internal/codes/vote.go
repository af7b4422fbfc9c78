package codes

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/internal/par"
)

// Vote tells which code system the codes of a data set are from. Counts are
// distinct codes; Weight counts their occurrences.
type Vote struct {
	System System `json:"system"` // the winner, or None
	Mixed  bool   `json:"mixed"`  // both versions are present
	Codes  int    `json:"codes"`  // distinct codes that voted
	Hits9  int    `json:"hits9"`  // found in the ICD-9-CM dictionary
	Hits10 int    `json:"hits10"` // of the shape of ICD-10
	Only9  int    `json:"only9"`  // found only there
	Only10 int    `json:"only10"`
	Both   int    `json:"both"` // could be either: V10, E800
}

func (v Vote) String() string {
	return fmt.Sprintf("%d of %d distinct codes are ICD-9-CM, %d have the form of ICD-10, %d fit both",
		v.Hits9, v.Codes, v.Hits10, v.Both)
}

// Shares that decide a vote.
const (
	enoughHits  = 0.8  // this share of the distinct codes must fit a system
	secondShare = 0.01 // a second version is present from this share of the sure codes on
)

// Elect counts a vote over the distinct keys of a data set, normalised and
// without version marks. titles10 may hold the codes that the user gave titles
// for, which may be ICD-10 codes of an unusual form; or be nil. Words are asked for
// too, and there may be many: it is found on several cores what they could be.
func Elect(keys []string, titles10 map[string]string, workers int) Vote {
	v := Vote{System: None, Codes: len(keys)}
	letters := map[byte]bool{}
	ids := integers(keys)
	could := make([][2]bool, len(keys)) // be of ICD-9, or ICD-10
	const part = 1 << 12
	_ = par.Blocks(context.Background(), workers, len(keys), part, func(_, lo, hi int) error { // nothing fails
		for i := lo; i < hi; i++ {
			could[i] = [2]bool{hits9(keys[i]), shape10(keys[i])}
		}
		return nil
	})
	for i, key := range keys {
		nine, ten := could[i][0], could[i][1]
		if _, ok := titles10[key]; ok && !nine && !digit(key[0]) {
			ten = true
		}
		if ten && !nine {
			letters[key[0]] = true
		}
		v.count(nine, ten)
	}
	fit := v.Hits9 + v.Hits10 - v.Both
	if v.Codes == 0 || float64(fit) < enoughHits*float64(v.Codes) || ids {
		return v
	}
	// One letter with running numbers ("C01" to "C99") is a numbering, not a
	// set of diagnoses, unless the user's own titles know the codes.
	if v.Only9 == 0 && len(letters) < 3 && titles10 == nil {
		return v
	}
	return v.decide()
}

func (v *Vote) count(nine, ten bool) {
	if nine {
		v.Hits9++
	}
	if ten {
		v.Hits10++
	}
	switch {
	case nine && ten:
		v.Both++
	case nine:
		v.Only9++
	case ten:
		v.Only10++
	}
}

func (v Vote) decide() Vote {
	v.System = ICD9
	second := v.Only10
	if v.Only10 > v.Only9 {
		v.System, second = ICD10, v.Only9
	}
	v.Mixed = float64(second) > secondShare*float64(v.Only9+v.Only10)
	return v
}

// hits9 reports a dictionary hit for ICD-9, also for one whose leading zeros
// were lost.
func hits9(key string) bool {
	if Known(ICD9, key) {
		return true
	}
	return len(key) < 3 && len(padded(key, false)) > 0
}

// integers reports names that are a plain numbering 1, 2, 3, ...: whole numbers
// without leading zeros that fill most of their range.
func integers(keys []string) bool {
	const filled = 0.8
	most := 0
	for _, key := range keys {
		n := 0
		if key == "" || key[0] == '0' || len(key) > 9 {
			return false
		}
		for i := range len(key) {
			if !digit(key[i]) {
				return false
			}
			n = 10*n + int(key[i]-'0')
		}
		most = max(most, n)
	}
	return float64(len(keys)) > filled*float64(most)
}

// SystemOf returns the version of one key of a data set where both versions are
// present: by dictionary and shape, the winner where both fit or none does.
func (v Vote) SystemOf(key string) System {
	nine, ten := hits9(key), shape10(key)
	switch {
	case !v.Mixed || nine == ten:
		return v.System
	case nine:
		return ICD9
	default:
		return ICD10
	}
}
