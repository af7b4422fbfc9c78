package encode

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/codes"
)

// Settings are an encoding and what this machine gives it.
type Settings struct {
	dataset.Encoding

	// Agree, where records lie at several sites, gets what was counted here and
	// returns what all sites counted, from which the vocabulary is chosen.
	Agree func(ctx context.Context, here *Tally) (*Tally, error) `json:"-"`

	// ByName puts features in the order of their names, where that of their counts would
	// tell them.
	ByName bool `json:"by_name,omitempty"`

	// Known is the code system of features that were encoded before, as the
	// vocabulary names it; nil where they are found out now.
	Known *string `json:"-"`

	// MaxMemory is the memory for records in bytes, 0 for no limit. Above it the
	// result is a file: Output, or a temporary one in TempDir.
	MaxMemory int64  `json:"-"`
	Output    string `json:"-"`
	TempDir   string `json:"-"`
	Workers   int    `json:"-"` // 0 means all cores; the result does not depend on it
}

// Check reports the first setting that makes no sense.
func (s Settings) Check() error {
	switch codes.System(s.System) {
	case "", "auto", codes.None, codes.ICD9, codes.ICD10:
	default:
		return fmt.Errorf("encode: code system %q is not known: write icd9, icd10, none or auto", s.System)
	}
	if s.Rollup != "" {
		if _, err := codes.ParseLevels(s.Rollup); err != nil {
			return err
		}
	}
	if err := checkLanguage(s.Stopwords); err != nil {
		return err
	}
	switch {
	case s.Ngrams < 0 || s.Ngrams > 3:
		return fmt.Errorf("encode: n-grams of %d words: write 1, 2 or 3", s.Ngrams)
	case s.MinLength < 0:
		return fmt.Errorf("encode: minimum length %d of a word is negative", s.MinLength)
	case s.MinCodes < 0:
		return fmt.Errorf("encode: minimum of %d codes is negative", s.MinCodes)
	case s.MaxMemory < 0:
		return fmt.Errorf("encode: memory limit %d is negative", s.MaxMemory)
	}
	for _, a := range []dataset.Amount{s.MinDF, s.MaxDF, s.Vocab} {
		if a.Count < 0 || !(a.Share >= 0 && a.Share <= 1) {
			return fmt.Errorf("encode: amount %+v: a count must be 0 or more, a share between 0 and 1", a)
		}
	}
	return errors.Join(checkPatterns(s.Include), checkPatterns(s.Exclude), s.checkWhere())
}

func (s Settings) checkWhere() error {
	if s.Where == "" {
		return nil
	}
	_, err := ParseWhere(s.Where)
	return err
}

func checkPatterns(patterns []string) error {
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("encode: feature pattern %q: a [ without ]; write names, or patterns with * and ?", p)
		}
	}
	return nil
}
