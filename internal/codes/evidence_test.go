package codes

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Numbers that are no codes give no evidence, whatever their size; codes do.
func TestEvidence(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	many := func(format string, from, to int) (out []string) {
		for range 100 {
			out = append(out, fmt.Sprintf(format, from+r.IntN(to-from)))
		}
		return out
	}
	for name, values := range map[string][]string{
		"ages": many("%d", 18, 95), "pressures": many("%d", 90, 200), "small counts": many("%d", 0, 30),
		"prices": many("%d", 1000, 9999), "ids": many("%d", 10000, 99999), "long ids": many("%d", 100000, 999999),
		"temperatures": many("%d.5", 34, 42), "weights": many("%d.7", 400, 999), "numbering": many("P%03d", 1, 900),
		"words": {"Agree", "Disagree", "never"}, "dates": many("2010-01-%02d", 1, 28), "empty": {"", ""},
	} {
		if e := Evidence(values); e > 5 {
			t.Errorf("%s: %.1f", name, e)
		}
	}
	for name, values := range map[string][]string{
		"icd9":       {"250.00", "401.9", "428.0", "585.9", "780.79", "285.21", "V45.81", "E812.0"},
		"no dots":    {"25000", "4019", "4280", "5859", "78079", "28521", "41401", "2724"},
		"lost zeros": {"250.00", "38.9", "70.54", "780.79", "285.21", "414.01", "42"},
		"icd10":      {"I50.9", "I11.0", "N18.9", "E11.9", "J44.1", "F32.9"},
	} {
		if e := Evidence(values); e < 5 {
			t.Errorf("%s: %.1f", name, e)
		}
	}
}

// 389 is a code and may be 038.9 without its zero; with dots it is not.
func TestDoubtful(t *testing.T) {
	lost := FindZeros([]string{"389", "42", "25000"})
	for raw, want := range map[string]string{"389": "[389 0389]", "845": "[845 0845 00845]", "42": "[042 0042]", "25000": "[]", "0389": "[]", "428.0": "[]"} {
		if got := fmt.Sprint(lost.Doubtful(raw)); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
	for name, raw := range map[string][]string{"nothing lost": {"389", "25000"}, "dots": {"389", "42", "250.00"}, "categories": {"389", "42", "250"}} {
		if got := FindZeros(raw).Doubtful("389"); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}
