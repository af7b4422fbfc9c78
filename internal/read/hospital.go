package read

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/delimited"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Tables of hospitals are known by the names of their columns, and by the name
// of the file where two tables share their columns.

// Names of the columns of long tables with counts: counts of genes in cells, of
// words in documents, of species in samples.
var (
	holderName = pattern.New(`(?i)^(doc(ument)?|cell|barcode|sample|spot|site|plot|user|customer|basket|order|patient)(_?(id|name|no))?$`)
	thingName  = pattern.New(`(?i)^(gene(_?(id|name|symbol))?|word|term|token|feature|item|product|species|taxon|otu|asv)$`)
	timesName  = pattern.New(`(?i)^(n|counts?|freq(uency)?|umis?|umi_?counts?|reads|abundance)$`)
)

// longCounts recognises record, thing and count by their names.
func longCounts(prof *delimited.Profile, o Options) (Guess, bool) {
	if !prof.Header || len(prof.Columns) < 3 || len(prof.Columns) > 4 || o.ID != "" || o.Code != "" || o.Text != "" || len(o.Columns) > 0 {
		return Guess{}, false
	}
	find := func(name *pattern.Pattern) string {
		for _, c := range prof.Columns {
			if name.MatchString(c.Name) {
				return c.Name
			}
		}
		return ""
	}
	id, code, count := find(holderName), find(thingName), find(timesName)
	if id == "" || code == "" || count == "" {
		return Guess{}, false
	}
	return Guess{
		Format: "long", Reason: fmt.Sprintf("looks like a long table with counts: column %s is the record, column %s what is counted, column %s how often", id, code, count),
		with: func(o *Options) {
			o.ID, o.Code = id, code
			if o.Count == "" {
				o.Count = count
			}
		},
	}, true
}

// procedures is the name of tables of procedures, whose codes look like those
// of diagnoses.
var procedures = pattern.New(`(?i)procedure`)

// hospital recognises the tables of MIMIC, of the OMOP common data model and of
// Synthea.
func hospital(in source.Input, prof *delimited.Profile, o Options) (Guess, bool) {
	if !prof.Header || o.Code != "" || o.Text != "" || len(o.Columns) > 0 {
		return Guess{}, false
	}
	if prof.IsMimic() {
		if procedures.MatchString(in.Base()) {
			return Guess{Format: "mimic", Reason: "looks like PROCEDURES_ICD of MIMIC, by its name and columns"}, true
		}
		return Guess{Format: "mimic", Reason: "looks like DIAGNOSES_ICD of MIMIC, by its columns"}, true
	}
	if stem := omopStem(prof, in, o); stem != "" {
		return Guess{Format: "omop", Reason: fmt.Sprintf("looks like a table of the OMOP common data model: persons and %s_concept_id", stem)}, true
	}
	if has(prof, "patient", "encounter", "code", "description") && o.ID == "" {
		id := "PATIENT"
		if o.Unit == "stay" {
			id = "ENCOUNTER"
		}
		return Guess{
			Format: "long", Reason: fmt.Sprintf("looks like a table of Synthea: column %s is the id, column CODE the code", id),
			with: func(o *Options) { o.ID, o.Code = id, "CODE" },
		}, true
	}
	return Guess{}, false
}

func has(prof *delimited.Profile, names ...string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(prof.Columns, func(c delimited.Column) bool { return strings.EqualFold(c.Name, name) }) {
			return false
		}
	}
	return true
}

// omopStems are the tables of the common data model with one event a row.
var omopStems = []string{"condition", "drug", "procedure", "measurement", "observation", "device", "specimen"}

// omopStem returns the kind of events in a table: what the options say, else
// the one whose concepts it has; several are told apart by the file's name.
func omopStem(prof *delimited.Profile, in source.Input, o Options) string {
	if !has(prof, "person_id") {
		return ""
	}
	best := ""
	for _, stem := range omopStems {
		if !has(prof, stem+"_concept_id") || o.OMOP.Table != "" && o.OMOP.Table != stem {
			continue
		}
		if best == "" || strings.Contains(strings.ToLower(in.Base()), stem) {
			best = stem
		}
	}
	return best
}

// openOMOPFiles reads a dump of condition_occurrence or its sisters.
func openOMOPFiles(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	d := o.delimited(delimited.Long)
	d.NoCount = d.Count == "" // a quantity is one of pills, not of events
	prof, err := o.seen, error(nil)
	if prof == nil {
		if prof, err = delimited.Survey(ctx, in[0], d); err != nil {
			return nil, err
		}
	}
	stem := omopStem(prof, in[0], o)
	if stem == "" {
		stem = "condition"
	}
	if d.ID == "" {
		d.ID = "person_id"
		if o.Unit == "stay" {
			d.ID = "visit_occurrence_id"
		}
	}
	if d.Code == "" {
		d.Code = stem + "_concept_id"
		if o.OMOP.SourceValues {
			d.Code = stem + "_source_value"
		}
	}
	s, err := openTable(ctx, in, d, p)
	if err != nil {
		return nil, err
	}
	s.Schema().Format = "omop"
	return withConcepts(s, in[0], p), nil
}

// openMimic takes the stay as the record unless the patient is asked for.
func openMimic(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	d := o.delimited(delimited.Long)
	prof, err := o.seen, error(nil)
	if prof == nil {
		if prof, err = delimited.Survey(ctx, in[0], d); err != nil {
			return nil, err
		}
	}
	if d, err = delimited.MimicColumns(prof, o.Unit, d); err != nil {
		return nil, fmt.Errorf("%s: %w", in[0].Name, err)
	}
	ofProcedures := procedures.MatchString(in[0].Base())
	if ofProcedures {
		d.Version = "" // no version of the tables of diagnoses
	}
	s, err := openTable(ctx, in, d, p)
	if err != nil {
		return nil, err
	}
	s.Schema().Format = "mimic"
	switch {
	case ofProcedures:
		s.Schema().System = "procedures"
		p.Note("%s holds procedures: their codes are kept as they are, without the titles of diagnoses", in[0].Name)
	case d.Version == "":
		s.Schema().System = "icd9"
	}
	return s, nil
}

// titleName matches names of columns that say what the code beside them means.
var titleName = pattern.New(`(?i)^(descr(iption)?|display|(long_|short_|code_|icd_|dx_|diagnosis_)(title|desc(ription)?|name|label)|concept_name)$`)

// titled adds to a long table what its column of descriptions says of the
// codes.
type titled struct {
	record.Source
	inputs []source.Input
	prof   *delimited.Profile
	code   string
	title  int
}

// withTitles finds the column of descriptions of a long table; a table without
// one stays as it is.
func withTitles(s record.Source, in []source.Input, prof *delimited.Profile) record.Source {
	table, ok := s.(*delimited.Source)
	if !ok || prof == nil || !prof.Header || !in[0].Again() {
		return s
	}
	code := table.Role("code")
	at := slices.IndexFunc(prof.Columns, func(c delimited.Column) bool { return titleName.MatchString(c.Name) })
	if code == "" || table.Role("version") != "" || at < 0 || prof.Columns[at].Name == code {
		return s
	}
	return &titled{Source: s, inputs: in, prof: prof, code: code, title: at}
}

// Read implements record.Source.
func (t *titled) Read(ctx context.Context, yield func(*record.Batch) error) error {
	if err := t.Source.Read(ctx, yield); err != nil {
		return err
	}
	if t.Schema().Titles != nil {
		return nil
	}
	return t.read(ctx)
}

// titleBytes bounds how much is read again for titles: codes that come again
// and again are met early.
const titleBytes = 64 << 20

// read takes the first title of every code, and none at all where the column
// says something else: most codes then have several.
func (t *titled) read(ctx context.Context) error {
	titles, several := make(map[string]string), make(map[string]bool)
	code := slices.IndexFunc(t.prof.Columns, func(c delimited.Column) bool { return c.Name == t.code })
	for _, in := range t.inputs[:1] {
		text, err := in.Text(ctx, nil)
		if err != nil {
			return err
		}
		rows := csv.NewReader(bufio.NewReader(io.LimitReader(text, titleBytes)))
		rows.Comma, rows.LazyQuotes, rows.ReuseRecord, rows.FieldsPerRecord = rune(t.prof.Separator), true, true, len(t.prof.Columns)
		for first := true; ; first = false {
			row, err := rows.Read()
			if errors.Is(err, csv.ErrFieldCount) || err == nil && first {
				continue
			}
			if err != nil {
				break
			}
			key, title := strings.TrimSpace(row[code]), strings.TrimSpace(row[t.title])
			if key == "" || title == "" {
				continue
			}
			if old, ok := titles[key]; !ok {
				titles[strings.Clone(key)] = strings.Clone(title)
			} else if old != title {
				several[key] = true
			}
		}
		text.Close()
	}
	if len(several)*10 <= len(titles) {
		t.Schema().Titles = titles
	}
	return nil
}
