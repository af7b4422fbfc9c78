package synth

import (
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/codes"
)

// Every code of the profiles is a real category with a title.
func TestHospitalCodes(t *testing.T) {
	var all []string
	for _, p := range append(profiles(), profile{codes: chronic}, profile{codes: everyday}) {
		all = append(all, strings.Fields(p.codes)...)
	}
	for _, f := range all {
		code, _, _ := strings.Cut(f, ":")
		if !codes.KnownCategory(codes.ICD9, code) || codes.Title(codes.ICD9, code, codes.Three) == "" {
			t.Errorf("category %s does not exist", code)
		}
	}
	for _, p := range profiles() {
		seen := map[string]bool{}
		for _, f := range strings.Fields(p.codes) {
			code, _, _ := strings.Cut(f, ":")
			if seen[code] {
				t.Errorf("%s: %s comes twice", p.name, f)
			}
			seen[code] = true
		}
	}
}

func TestHospital(t *testing.T) {
	a := Hospital(1, 3000)
	if !reflect.DeepEqual(a, Hospital(1, 3000)) {
		t.Error("the same seed gives other patients")
	}
	if reflect.DeepEqual(a, Hospital(2, 3000)) {
		t.Error("another seed gives the same patients")
	}
	pictures, distinct, total := map[string]int{}, map[string]bool{}, 0
	for _, p := range a {
		pictures[p.Profile]++
		if len(p.Codes) < leastCodes || p.Age < 0 || p.Age > 104 || (p.Sex != "F" && p.Sex != "M") {
			t.Fatalf("%+v", p)
		}
		if p.Profile == "childbirth" && (p.Sex != "F" || p.Age < 15) {
			t.Fatalf("%+v", p)
		}
		for _, c := range p.Codes {
			distinct[c] = true
			total++
		}
	}
	if len(pictures) != len(profiles()) || len(distinct) < 250 || len(distinct) > 450 {
		t.Errorf("%d pictures, %d categories", len(pictures), len(distinct))
	}
	if mean := float64(total) / 3000; mean < 5 || mean > 12 {
		t.Errorf("%.1f diagnoses a patient", mean)
	}
}
