package delimited

import (
	"fmt"
	"strings"
)

// MimicColumns fills in the columns of DIAGNOSES_ICD: of MIMIC-III
// (ROW_ID, SUBJECT_ID, HADM_ID, SEQ_NUM, ICD9_CODE) and of MIMIC-IV
// (subject_id, hadm_id, seq_num, icd_code, icd_version, where the version
// becomes part of the code's name). Unit is "patient" or "stay"; names that
// are given stay. It reports whether the table has these columns.
func MimicColumns(p *Profile, unit string, o Options) (Options, error) {
	o.Shape = Long
	id := "hadm_id"
	if unit == "patient" {
		id = "subject_id"
	}
	var lost []string
	set := func(field *string, names ...string) {
		if *field != "" {
			return
		}
		for _, n := range names {
			if i, err := p.find(n); err == nil && strings.EqualFold(p.Columns[i].Name, n) {
				*field = p.Columns[i].Name
				return
			}
		}
		lost = append(lost, names[0])
	}
	set(&o.ID, id)
	set(&o.Code, "icd_code", "icd9_code")
	if len(lost) > 0 {
		return o, fmt.Errorf("this is not DIAGNOSES_ICD of MIMIC: no column %s; the columns are: %s", strings.Join(lost, ", "), p.names())
	}
	if o.Version == "" {
		set(&o.Version, "icd_version")
	}
	return o, nil
}

// IsMimic reports whether the header is that of DIAGNOSES_ICD.
func (p *Profile) IsMimic() bool {
	has := func(name string) bool {
		for _, c := range p.Columns {
			if strings.EqualFold(c.Name, name) {
				return true
			}
		}
		return false
	}
	return p.Header && has("subject_id") && has("hadm_id") && has("seq_num") && (has("icd9_code") || has("icd_code"))
}
