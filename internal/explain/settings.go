package explain

import (
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
)

const (
	defaultLambda = 0.6
	defaultTop    = 20
)

// showsRecords reports whether single records may be shown.
func showsRecords(s report.Settings) bool {
	return !s.Share && (s.Records || !s.Health && s.Limit() <= 1)
}

func lambda(s report.Settings) float64 {
	switch {
	case s.Lambda == 0:
		return defaultLambda
	case s.Lambda < 0:
		return 0
	}
	return s.Lambda
}

func top(s report.Settings) int {
	if s.Top == 0 {
		return defaultTop
	}
	return s.Top
}

// unit fills in the words that were left open.
func unit(s report.Settings, kind record.Kind, words, codes, alleles bool) report.Unit {
	u := report.Unit{One: "record", Many: "records", Feature: "feature", Features: "features"}
	switch {
	case alleles:
		u = report.Unit{One: "individual", Many: "individuals", Feature: "allele", Features: "alleles"}
	case words:
		u = report.Unit{One: "document", Many: "documents", Feature: "word", Features: "words"}
	case codes:
		u = report.Unit{One: "patient", Many: "patients", Feature: "diagnosis", Features: "diagnoses"}
	case s.Health:
		u.One, u.Many = "patient", "patients"
	case kind == record.Categorical:
		u.Feature, u.Features = "answer", "answers"
	}
	for _, w := range []struct {
		dst *string
		src string
	}{{&u.One, s.Unit.One}, {&u.Many, s.Unit.Many}, {&u.Feature, s.Unit.Feature}, {&u.Features, s.Unit.Features}} {
		if w.src != "" {
			*w.dst = w.src
		}
	}
	return u
}

// sequenceUnit calls records sequences where they are nobody's, and what steps
// show symbols where it has no other name.
func sequenceUnit(s report.Settings, u report.Unit, symbols bool) report.Unit {
	if u.One == "record" && s.Unit.One == "" {
		u.One, u.Many = "sequence", "sequences"
	}
	if symbols && s.Unit.Feature == "" && (u.Feature == "feature" || u.Feature == "answer") {
		u.Feature, u.Features = "symbol", "symbols"
	}
	return u
}
