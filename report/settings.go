package report

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/warn"
)

// Settings say how to explain. The zero value works.
type Settings struct {
	// Lambda weighs frequency against distinctness in relevance: 0 means 0.6,
	// negative means 0.
	Lambda float64
	// Health says that records are of people: small cells are masked, and no
	// record is shown unless Records asks for it.
	Health bool
	// MinCell is the least count of records to be shown: 0 means 11 for health
	// data and no limit for others, negative means no limit.
	MinCell int
	// Share makes the report fit to be shared: rounded, without a trace of which
	// data it is of. It has a limit on small cells in any case: 11 where there is
	// none.
	Share bool
	// Unit is the word for a record; what is empty is chosen by the data.
	Unit Unit
	// Records shows the ids of representative records of health data too.
	Records bool
	// Top is the number of features of each list; 0 means 20.
	Top int
	// Date names the side column of dates, for the period; "" means none.
	Date string
	// Labels name the side columns that were asked for: they are reported first.
	Labels []string
	// Counted says that records were moved by hand: shares are then those of the
	// records in a group, and not parameters of the model.
	Counted bool
	// Brief leaves out what takes further passes over many records: intervals and
	// tables of latent classes, and side columns.
	Brief bool
	// ThreeStep names side columns that are reported by three steps, of latent classes.
	ThreeStep []string
	// Workers are the cores to use; 0 means all. The report does not depend on it.
	Workers int
	// Names are names given by people, by group id; they win over ours.
	Names map[string]string
	// Files are the names of the files that were read, Made the day of the fit
	// (2006-01-02): said on the first page.
	Files []string
	Made  string
	// Language is that of sentences on pages: "" and "en" are English, "es" is Spanish,
	// which nobody has reviewed yet. Names, warnings and methods are English in any case.
	Language string
	// Read tells what was read and left out; nil where it is not known.
	Read *Read
	// Warnings are further ones, besides those of the fit and of Read.
	Warnings []warn.Warning
}

// Read is what was read of the data and what of it was left out.
type Read struct {
	Records  Count  // before any was left out
	LeftOut  []Part // by reason
	Warnings []warn.Warning
	// Plan is how running texts became words, as the encoder wrote it down; nil
	// where there were none. Words are found in kept texts by it.
	Plan []byte
}

// DefaultMinCell is the least count that is shown of people.
const DefaultMinCell = 11

// Check reports the first setting that makes no sense.
func (s Settings) Check() error {
	if s.Lambda > 1 || math.IsNaN(s.Lambda) {
		return fmt.Errorf("report: lambda is %v, want a number from 0 to 1", s.Lambda)
	}
	if s.Top < 0 {
		return fmt.Errorf("report: %d features a list, want at least 1", s.Top)
	}
	return nil
}

// Limit returns the least count that may be read, 0 where all may.
func (s Settings) Limit() int {
	switch {
	case s.MinCell > 1:
		return s.MinCell
	case s.MinCell == 0 && s.Health, s.Share:
		return DefaultMinCell
	}
	return 0
}

// Ring returns the ring of the settings.
func (s Settings) Ring() Ring {
	switch {
	case s.Share:
		return Shared
	case s.Limit() > 0 || s.Health:
		return Inside
	}
	return Open
}
