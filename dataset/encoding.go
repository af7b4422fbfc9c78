package dataset

import (
	"fmt"
	"strconv"
	"strings"
)

// Encoding says how records become rows: which features and records are taken.
// The zero value works: codes roll up to three characters, texts lose the stop
// words of their language, every record and every other feature stays.
type Encoding struct {
	// System is the code system of the features: icd9, icd10, none, or auto (the
	// zero value), which looks at the features.
	System string `json:"system,omitempty"`
	// Rollup is full, 3, ccs or chapter, or several joined by "+". The zero
	// value means 3 where the features are codes.
	Rollup string `json:"rollup,omitempty"`
	// Counts keeps the number of times a code is in a record, not its presence.
	Counts bool `json:"counts,omitempty"`
	// Titles are titles by code; they win over the
	// built-in ones.
	Titles map[string]string `json:"-"`

	// Stopwords is a language, none, or auto (the zero value), which finds the
	// language of running text. StopList is a list of the user's own.
	Stopwords string   `json:"stopwords,omitempty"`
	StopList  []string `json:"stop_list,omitempty"`
	Ngrams    int      `json:"ngrams,omitempty"`     // longest run of words that is a feature, 1 to 3; 0 means 1
	Stem      bool     `json:"stem,omitempty"`       // cut words to their stems
	MinLength int      `json:"min_length,omitempty"` // letters of the shortest word; 0 means 2
	Numbers   bool     `json:"numbers,omitempty"`    // keep words without a letter

	MinDF Amount `json:"min_df"` // fewest records of a feature
	MaxDF Amount `json:"max_df"` // most records of a feature
	Vocab Amount `json:"vocab"`  // most frequent features, or their share of all tokens
	// AllWords keeps every word. Without it, and without MinDF, MaxDF and Vocab,
	// words that are too rare or too frequent to tell topics apart are left out.
	AllWords bool `json:"all_words,omitempty"`
	// KeepOrder keeps features in the order in which they appear, as views need
	// it, and not by falling frequency.
	KeepOrder bool `json:"keep_order,omitempty"`
	// KeepUnused keeps names that no record has, so that a table written in
	// another format has the numbers it had.
	KeepUnused bool `json:"keep_unused,omitempty"`

	// KeepText keeps running texts beside their rows, as a side column of the name
	// KeptText, so that documents can be shown; without it no text is kept.
	KeepText bool `json:"keep_text,omitempty"`

	Include []string `json:"include,omitempty"`
	Exclude []string `json:"exclude,omitempty"`

	Where    string `json:"where,omitempty"`     // which records stay, as "age < 70 and has 428"
	MinCodes int    `json:"min_codes,omitempty"` // records with fewer features are marked short
}

// KeptText is the name of the side column of texts that were kept.
const KeptText = "(text)"

// Amount is a number of things or a share of them; the zero value is no limit.
type Amount struct {
	Count int
	Share float64 // of 1; used where Count is 0
}

// ParseAmount reads "5" (a number), "70%" or "0.7" (a share).
func ParseAmount(text string) (Amount, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Amount{}, nil
	}
	per := 1.0
	number, percent := strings.CutSuffix(text, "%")
	if percent {
		per = 100
	} else if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		return Amount{Count: n}, nil
	}
	share, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(share >= 0 && share <= per) {
		return Amount{}, fmt.Errorf("dataset: %q is not an amount: write a whole number, a share such as 0.7, or a percentage such as 70%%", text)
	}
	return Amount{Share: share / per}, nil
}

// IsZero reports that there is no limit.
func (a Amount) IsZero() bool { return a == Amount{} }

func (a Amount) String() string {
	switch {
	case a.Count > 0:
		return strconv.Itoa(a.Count)
	case a.Share > 0:
		return strconv.FormatFloat(100*a.Share, 'g', 12, 64) + "%"
	}
	return ""
}

// MarshalText writes the amount as ParseAmount reads it.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads the amount.
func (a *Amount) UnmarshalText(b []byte) (err error) {
	*a, err = ParseAmount(string(b))
	return err
}

// Of returns the number that the amount means among n things.
func (a Amount) Of(n int) float64 {
	if a.Count > 0 {
		return float64(a.Count)
	}
	return a.Share * float64(n)
}
