package codes_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/codes"
)

func TestShort(t *testing.T) {
	for _, c := range [][2]string{
		{"Occlusion of cerebral arteries", "stroke"},
		{"occlusion  of cerebral arteries", "stroke"},
		{"Chronic airway obstruction, not elsewhere classified", "COPD"},
		{"Heart failure", "heart failure"},
		{"Parkinson's disease", "Parkinson's disease"},
		{"HIV infection", "HIV infection"},
		{"Down syndrome", "Down syndrome"},
		{"Malignant neoplasm of colon", "cancer of colon"},
		{"Mycoses (fungal infections)", "mycoses"},
		{"Pneumococcal pneumonia [Streptococcus pneumoniae pneumonia]", "pneumococcal pneumonia"},
		{"Spondylosis and allied disorders", "spondylosis"},
		{"Peptic ulcer, site unspecified", "peptic ulcer"},
		{"Disorders of uterus", "uterus disorders"},
		{"", ""},
		{"[a]", "[a]"},
		{"Other and unspecified congenital anomalies", "other congenital anomalies"},
		{"Malignant neoplasm of other and unspecified parts of mouth", "cancer of other mouth"},
		{"É", "é"},
	} {
		if got := codes.Short(c[0]); got != c[1] {
			t.Errorf("%q is said %q, want %q", c[0], got, c[1])
		}
	}
}

// TestShortTitlesAreShort goes through all categories: none says that it is not
// elsewhere classified, few are longer than a name may be.
func TestShortTitlesAreShort(t *testing.T) {
	for _, s := range []codes.System{codes.ICD9, codes.ICD10} {
		all, long := 0, 0
		for _, title := range codes.CategoryTitles(s) {
			short := codes.Short(title)
			all++
			if utf8.RuneCountInString(short) > 40 {
				long++
			}
			if short == "" || strings.Contains(short, "elsewhere classified") && !strings.Contains(short, "conditions") && !strings.Contains(short, "diseases") && !strings.Contains(short, "disorders") {
				t.Errorf("%q is said %q", title, short)
			}
		}
		if all < 900 || long > all/4 {
			t.Errorf("%s: %d of %d short titles are longer than 40 letters", s, long, all)
		}
	}
}

// TestRulesFindTheirWords goes through all categories: no rule finds anything in a title
// that has none of the rule's words.
func TestRulesFindTheirWords(t *testing.T) {
	for _, s := range []codes.System{codes.ICD9, codes.ICD10} {
		for _, title := range codes.CategoryTitles(s) {
			if rule := codes.Overlooked(title); rule != "" {
				t.Errorf("%q: %s finds something, and is not asked", title, rule)
			}
		}
	}
	for _, title := range []string{"Asthma, NOS", "Cancer of the lung", "X (y)", "Other or ill-defined forms of y", "Heart Disorders", "Fracture of rib"} {
		if rule := codes.Overlooked(title); rule != "" {
			t.Errorf("%q: %s finds something, and is not asked", title, rule)
		}
	}
}
