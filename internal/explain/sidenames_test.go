package explain

import (
	"strconv"
	"testing"
)

// Numbers that are names are never averaged: ids, doctors, codes, days.
func TestSidesOfNames(t *testing.T) {
	for _, x := range []struct {
		column string
		value  func(i int) string
		name   bool
		dates  bool
	}{
		{"CLM_ID", func(i int) string { return strconv.Itoa(196661176988405 + i) }, true, false},
		{"patient_nbr", func(i int) string { return strconv.Itoa(8222157 + i) }, true, false},
		{"AT_PHYSN_NPI", func(i int) string { return strconv.Itoa(3139083564 + i) }, true, false},
		{"zip", func(i int) string { return strconv.Itoa(90210 + i) }, true, false},
		{"discharge_disposition_id", func(i int) string { return strconv.Itoa(1 + i%26) }, true, false},
		{"patientId", func(i int) string { return strconv.Itoa(i) }, true, false},
		{"ADMTNG_ICD9_DGNS_CD", func(i int) string { return strconv.Itoa(4280 + i) }, true, false},
		{"ward", func(i int) string { return "0" + strconv.Itoa(100+i) }, true, false},
		{"phone", func(i int) string { return strconv.Itoa(2025550000 + i) }, true, false},
		{"CLM_FROM_DT", func(i int) string { return strconv.Itoa(20081201 + i%28) }, false, true},
		{"num_medications", func(i int) string { return strconv.Itoa(i) }, false, false},
		{"number_diagnoses", func(i int) string { return strconv.Itoa(i) }, false, false},
		{"age", func(i int) string { return strconv.Itoa(20 + i) }, false, false},
		{"cost", func(i int) string { return strconv.Itoa(20000000 + i) }, false, false},
		{"share", func(i int) string { return "0." + strconv.Itoa(10+i) }, false, false},
	} {
		v := newSideValues(x.column, 60)
		for i := range 60 {
			v.add(x.value(i))
		}
		if got := 2*v.dates > v.known; v.isName() != x.name || got != x.dates {
			t.Errorf("%s: a name %v, want %v; a date %v, want %v", x.column, v.isName(), x.name, got, x.dates)
		}
	}
}
