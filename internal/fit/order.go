package fit

import (
	"slices"
	"time"

	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
)

// Order is what somebody wants done: data, and the settings of every stage.
type Order struct {
	Args []string // data, as on the command line
	// Inputs and Records stand in place of Args where the data have no names: a
	// table or texts in memory, a source of somebody's own.
	Inputs  []source.Input
	Records record.Source

	Read   read.Options
	Encode encode.Settings
	Fit    Settings
	// Views are the views of a multi-view model, one pattern each.
	Views []string
	// MinCell is the least count of records that may be shown: 0 means 11 for
	// health data and no limit for others, negative means no limit.
	MinCell int
	// Health says that the records are of people's health, whatever their form:
	// notes of doctors, a table of findings. Codes of diseases are known to be.
	Health bool
	// Cache keeps the encoded rows beside the data.
	Cache bool
	// Spread has the sums of the fit added up by other processes.
	Spread Spread

	// Now tells the time, for the timings; nil leaves them out. Began is when the command
	// did, where that was earlier than the order.
	Now   func() time.Time
	Began time.Time

	// Join is how records at several sites are summed up; nil where all are here.
	Join *Join
}

// Join is what a site of a joined run has agreed on with the others.
type Join struct {
	Exchange pass.Exchange
	Study    string // of all sites, word by word
	Open     bool   // what a site gives can be read by others
	Omit     int    // count below which cells stay here, where sums are open
}

// healthFormats are formats of patients' records.
var healthFormats = []string{"mimic", "fhir", "omop"}

// IsHealth reports whether records are of people's health, by their format, by the system of
// their codes, or because their columns speak of patients. It rather says yes.
func IsHealth(format, system string, ofPatients bool) bool {
	return ofPatients || slices.Contains(healthFormats, format) || system == "icd9" || system == "icd10"
}

// IsTree reports whether the order is for a tree.
func (o *Order) IsTree() bool { return o.Fit.K == 0 }

// SmallestCell is the least count to be shown of records that are of people's
// health, or are not; 0 for all.
func (o *Order) SmallestCell(health bool) int {
	switch {
	case o.MinCell > 0:
		return o.MinCell
	case o.MinCell == 0 && health:
		return report.DefaultMinCell
	}
	return 0
}
