package codes

import "strings"

// Zeros repairs ICD-9 codes that lost their leading zeros in a spreadsheet (042
// became 42). The zero value repairs only codes written with a dot, where the
// dot says how many zeros are missing.
type Zeros struct {
	// Lost says that some code has fewer than three digits, so that zeros were
	// lost in this data set.
	Lost bool `json:"lost,omitempty"`
	// Short says that no code has more than three digits, so that the codes are
	// categories.
	Short bool `json:"short,omitempty"`
	// Dots says that the codes are written with dots, so that a code without one
	// is a category too.
	Dots bool `json:"dots,omitempty"`
}

// FindZeros finds signs of lost zeros in the raw codes of a data set.
func FindZeros(raw []string) Zeros {
	z := Zeros{Short: true, Dots: true}
	dots := 0
	for _, code := range raw {
		code = strings.TrimSpace(code)
		whole, rest, dotted := strings.Cut(code, ".")
		if !allDigits(whole) || dotted && !allDigits(rest) && rest != "" {
			continue
		}
		if len(whole) < 3 {
			z.Lost = true
		}
		if len(whole)+len(rest) > 3 {
			z.Short = false
		}
		if dotted {
			dots++
		} else if len(whole) > 3 {
			z.Dots = false
		}
	}
	z.Dots = z.Dots && dots > 0
	return z
}

// Outcome says what a repair came to.
type Outcome int

// Outcomes of a repair.
const (
	Untouched Outcome = iota
	Repaired          // exactly one known code fits
	Unclear           // several known codes fit: ask
)

// Repair returns the key of a raw ICD-9 code, with lost zeros put back where
// exactly one known code results.
func (z Zeros) Repair(raw string) (string, Outcome) {
	key := Normalize(raw)
	whole, rest, dotted := strings.Cut(strings.TrimSpace(raw), ".")
	if dotted && allDigits(whole) && allDigits(rest) && len(whole) < 3 {
		if full := strings.Repeat("0", 3-len(whole)) + key; Known(ICD9, full) {
			return full, Repaired
		}
		return key, Untouched
	}
	if !z.Lost || !allDigits(key) || Known(ICD9, key) {
		return key, Untouched
	}
	switch fits := padded(key, z.Short || z.Dots); len(fits) {
	case 0:
		return key, Untouched
	case 1:
		return fits[0], Repaired
	default:
		return key, Unclear
	}
}

// Doubtful returns the codes that a raw one may be where zeros were lost and
// nothing tells which: 389 is a code, and so is 038.9 without its zero. It is
// nil where there is no doubt. The code as it stands comes first if it is known.
func (z Zeros) Doubtful(raw string) []string {
	key := Normalize(raw)
	if !z.Lost || z.Short || z.Dots || !allDigits(key) || strings.Contains(raw, ".") || strings.HasPrefix(key, "0") {
		return nil
	}
	fits := padded(key, false)
	if Known(ICD9, key) {
		fits = append([]string{key}, fits...)
	}
	if len(fits) < 2 {
		return nil
	}
	return fits
}

// padded lists the known codes that give key when their leading zeros are
// dropped; short restricts them to categories.
func padded(key string, short bool) []string {
	var out []string
	if !allDigits(key) {
		return nil
	}
	for zeros := 1; zeros <= 2; zeros++ {
		full := strings.Repeat("0", zeros) + key
		if short && len(full) != 3 || !Known(ICD9, full) {
			continue
		}
		out = append(out, full)
	}
	return out
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !digit(s[i]) {
			return false
		}
	}
	return s != ""
}
