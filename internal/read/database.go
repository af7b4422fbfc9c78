//go:build !js

package read

import (
	"strings"

	"github.com/moiety-go/moiety/internal/read/omop"
	"github.com/moiety-go/moiety/record"
)

// openDatabase reads "omop:" or "omop:host=… dbname=…".
func openDatabase(arg string, o Options, p *record.Problems) (record.Source, error) {
	d := omop.Options{
		DSN: strings.TrimPrefix(arg, databasePrefix), Schema: o.OMOP.Schema, SourceValues: o.OMOP.SourceValues,
		Cohort: o.OMOP.Cohort, CohortSchema: o.OMOP.CohortSchema,
	}
	switch o.OMOP.Table {
	case "drug":
		d.Table = omop.Drug
	case "procedure":
		d.Table = omop.Procedure
	}
	if o.Unit == "stay" {
		d.Unit = omop.Visit
	}
	return omop.New(d, p)
}
