package delimited

import (
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/record"
)

// otherSystems are names of columns of codes of medicine that are neither ICD-9 nor
// ICD-10, however alike they look: K86 is hypertension in ICPC, and the pancreas in ICD-10.
const otherSystems = `(icpc|opcs|opertn|ops|(ms[_ .-]?)?drg|hcpcs|cpt|ndc|rx(cui|norm)|sct|snomed|atc|meddra|read[_ .-]?codes?|phecode|icf|icd[_ .-]?o)` + ofCodes

const ofCodes = `([_ .-]?(ct|code|codes|id|concept|version|v?\d+)?)*`

// Names by which columns are recognised when nobody names them.
var (
	personName = pattern.New(`(?i)^((patient|subject|person|member|customer|user|client|bene(ficiary)?|desynpuf|pat|mrn)([_ .]?(id|nbr|no|num|number|key|code))?|pid|nhs_?number|` +
		`nhc|n[ºo°]?[_ .]?(de[_ .])?historia|historia([_ .]?cl[ií]nica)?|expediente|paciente?([_ .]?id)?|paziente([_ .]?id)?|pazient[_ .]?id|id[_ .]?(paciente|paziente|patient|pasient)|` +
		`patient(en|in)?[_ .-]?(nr|nummer|id)|fall[_ .-]?(nr|nummer)|versicherten?[_ .-]?(nr|nummer|id)|num[eé]ro[_ .](de[_ .])?dossier|ipp|pasient([_ .]?id)?|pacjent([_ .]?id)?|utente)$`)
	// What is of patients, among persons and codes.
	patientName = pattern.New(`(?i)^((patient|pat|mrn|bene(ficiary)?|desynpuf)([_ .]?(id|nbr|no|num|number|key|code))?|nhs_?number|nhc|n[ºo°]?[_ .]?(de[_ .])?historia|` +
		`historia([_ .]?cl[ií]nica)?|paciente?([_ .]?id)?|paziente([_ .]?id)?|pazient[_ .]?id|id[_ .]?(paciente|paziente|patient|pasient)|patient(en|in)?[_ .-]?(nr|nummer|id)|` +
		`ipp|pasient([_ .]?id)?|pacjent([_ .]?id)?|hadm([_ .]?id)?)$`)
	diagnosisName = pattern.New(`(?i)^(.*icd.*|dx.*|diag.*|.*diagnos[ei]s.*|cie[_ .-]?(9|10|o).*|cim[_ .-]?10.*|hpo.*|` + otherSystems + `)$`)
	stayName      = pattern.New(`(?i)^(hadm|stay|encounter|visit|admission|episode|claim|clm|case|spell|fall|aufenthalt|episodio|s[eé]jour|ricovero)[_ .]?(id|nbr|no|num|number)?$`)
	idName        = pattern.New(`(?i)^(id|key|row|row_?names?|record|doc|document|basket|order|session|name|sample|animal|.*[_ .]id|.*Id|id[_ .].*|doc.*id)$`)
	plainID       = pattern.New(`(?i)^id$`)
	codeName      = pattern.New(`(?i)^(.*icd.*|.*codes?|dx.*|diag.*|.*diagnosis.*|item.*|word|term|token|symbol|state|status|event|product.*|concept.*|drug.*|atc.*|proc.*|feature|gene|sku|tag|hpo.*|phecode.*|activity|c[oó]d(igo|ice)?([_ .].*)?|cie[_ .-]?(9|10|o).*|cim[_ .-]?10.*|kode|schl(ü|ue)ssel.*|(icpc|opcs|drg|hcpcs|cpt|ndc|rx(cui|norm)|sct|snomed|meddra)` + ofCodes + `)$`)
	versionName   = pattern.New(`(?i)^((icd|dx|diag|code|.*icd)[_ .]?(version|vers|ver|system|type|vocabulary)|code_?system|version|vocabulary(_id)?)$`)
	countName     = pattern.New(`(?i)^(count|counts|n|freq|frequency|cnt|quantity|qty|tf|occurrences|times)$`)
	timeName      = pattern.New(`(?i)^(.*date.*|time.*|.*_?time|t|day|week|month|year|.*_dt|seq_?num|step|period|wave|visit_?(no|num|number))$`)
	labelName     = pattern.New(`(?i)^((sub|super|cell|tumou?r|patho|pheno|geno)?[_ .-]?type|(true[_ .-])?(class(es)?|labels?|group|cluster)([_ .-]?(id|name|label))?|species|targets?|outcomes?|y([_ .-]true)?|ground[_ .-]truth|` +
		`rating|region|area|readmitted|category|diagnosis|diagnostic[_ .-](group|class)|disease([_ .-](status|group|type))?|case[_ .-]?(or[_ .-]?)?control|survived|died|death|dead|deceased|mortality|churn(ed)?|` +
		`cultivar|variety|breed|(super[_ .-]?)?pop(ulation)?|clase|grupo|especie|etiqueta|resultado|classe|groupe|gruppo|klasse|gruppe|diagn[oó]stico)$`)
	textName  = pattern.New(`(?i)^(texts?|body|content|abstracts?|documents?|notes?|comments?|reviews?|messages?|descriptions?|titles?|tweets?|answers?|kommentare?|texte|textos?|notas?|comentarios?|commentaires?|testo|commenti)$`)
	rowNumber = pattern.New(`(?i)^(row(_?id|_?names?)?|column1|x|index|no|nr|seq_?num)$`)
)

// otherSystem matches the names of columns of such codes.
var otherSystem = pattern.New(`(?i)^` + otherSystems + `$`)

// coordinate reports the second of two columns x and y that are places, and no label.
func (p *Profile) coordinate(i int) bool {
	c := &p.Columns[i]
	return strings.EqualFold(c.Name, "y") && c.all(c.Numbers) && c.Whole < c.Rows && slices.ContainsFunc(p.Columns, func(x Column) bool {
		return strings.EqualFold(x.Name, "x") && x.all(x.Numbers) && x.Whole < x.Rows
	})
}

// IsID reports whether a name is one that columns of ids have.
func IsID(name string) bool {
	return personName.MatchString(name) || stayName.MatchString(name) || idName.MatchString(name)
}

// pick returns the first free column whose name matches and that is accepted.
func (pl *plan) pick(p *Profile, name *pattern.Pattern, accept func(*Column) bool) int {
	for i := range p.Columns {
		if pl.taken(i) || i == pl.time || i == pl.freq || !name.MatchString(p.Columns[i].Name) {
			continue
		}
		if accept == nil || accept(&p.Columns[i]) {
			return i
		}
	}
	return none
}

// firstOf returns the first index that is a column.
func firstOf(choices ...int) int {
	for _, c := range choices {
		if c != none {
			return c
		}
	}
	return none
}

func (pl *plan) planLong(p *Profile, o Options) error {
	pl.kind, pl.group = record.Presence, o.Unit != "row"
	if len(p.Columns) < 2 {
		return fmt.Errorf("a long table needs two columns, id and code; this one has %s", p.names())
	}
	if err := pl.pickCode(p, o); err != nil {
		return err
	}
	if pl.id == none {
		pl.id = pl.ownerID(p, o)
	}
	if pl.code == none {
		pl.code = pl.namedCode(p, o, nil)
	}
	if pl.code == none {
		pl.code = pl.codeColumn(p, o)
	}
	if id, code := p.ownedCodes(); pl.id == none && (pl.code == none || pl.code == code) {
		pl.id, pl.code = id, code
	}
	pl.longByPlace(p)
	pl.planCells(p, o, pl.code)
	pl.medical = p.medical(o, pl.code)
	if pl.version == none {
		pl.version = pl.pick(p, versionName, func(c *Column) bool { return c.Distinct <= 12 })
	}
	if pl.count == none && !o.NoCount {
		pl.count = pl.pick(p, countName, (*Column).countable)
	}
	if pl.time == none {
		pl.time = pl.pick(p, timeName, nil)
	}
	if pl.count != none {
		pl.kind = record.Counts
	}
	return pl.distinctRoles(p)
}

// orderName names columns that number, date or explain the codes beside them.
var orderName = pattern.New(`(?i)[_ .-](seq|sequence|num|number|nbr|no|nr|order|rank|pos|position|line|date|dt|desc|description|name|poa|flag|type|status|system|vers|version)$`)

// namedCode returns the column of codes by its name: of several that are named
// like one, that whose values are codes, then one that does not number them.
func (pl *plan) namedCode(p *Profile, o Options, accept func(*Column) bool) int {
	ok := func(c *Column) bool { return !versionName.MatchString(c.Name) && (accept == nil || accept(c)) }
	best := pl.pick(p, codeName, func(c *Column) bool { return ok(c) && !orderName.MatchString(c.Name) })
	if best == none {
		best = pl.pick(p, codeName, ok)
	}
	if best == none || o.Coded == nil || p.Columns[best].evidence(o) > namedCodes {
		return best
	}
	return firstOf(pl.pick(p, codeName, func(c *Column) bool { return ok(c) && c.evidence(o) > namedCodes }), best)
}

// countable reports whole numbers; a quantity of something may be none.
func (c *Column) countable() bool {
	if strings.HasPrefix(strings.ToLower(c.Name), "q") { // 30 tablets are one prescription
		one := c.sample["1"]
		return c.all(c.Whole) && one != nil && 5*one.n >= c.Rows
	}
	return c.all(c.Whole) || c.share(c.Whole) >= 0.5
}

// ownerID is the id that several rows share: of the patient, or of the stay if
// that is the unit.
func (pl *plan) ownerID(p *Profile, o Options) int {
	person, stay := pl.pick(p, personName, nil), pl.pick(p, stayName, nil)
	if o.Unit == "stay" {
		person, stay = stay, person
	}
	return firstOf(person, stay, pl.pick(p, idName, (*Column).Repeats))
}

// longByPlace takes the first free columns where names do not tell.
func (pl *plan) longByPlace(p *Profile) {
	free := func(accept func(*Column) bool) int {
		for i := range p.Columns {
			if !pl.taken(i) && i != pl.time && (accept == nil || accept(&p.Columns[i])) {
				return i
			}
		}
		return none
	}
	notRows := func(c *Column) bool { return !(rowNumber.MatchString(c.Name) && c.Unique()) }
	if pl.id == none {
		pl.id = firstOf(free(notRows), free(nil))
	}
	if pl.code == none {
		pl.code = firstOf(free(func(c *Column) bool {
			return notRows(c) && c.share(c.Times) < 0.9 && !timeName.MatchString(c.Name) && !versionName.MatchString(c.Name) && !countName.MatchString(c.Name)
		}), free(nil))
	}
}

// pickCode resolves --code as one column.
func (pl *plan) pickCode(p *Profile, o Options) (err error) {
	if o.Code == "" {
		return nil
	}
	if pl.code, err = p.find(o.Code); err != nil {
		return fmt.Errorf("‹code›: %w", err)
	}
	return nil
}

// distinctRoles refuses one column for two roles.
func (pl *plan) distinctRoles(p *Profile) error {
	seen := map[int]string{}
	for _, r := range []struct {
		what   string
		column int
	}{{"id", pl.id}, {"code", pl.code}, {"count", pl.count}, {"version", pl.version}, {"text", pl.text}} {
		if r.column == none {
			continue
		}
		if other, ok := seen[r.column]; ok {
			return fmt.Errorf("column %q cannot be both %s and %s; name them with ‹%s› and ‹%s›",
				p.Columns[r.column].Name, other, r.what, other, r.what)
		}
		seen[r.column] = r.what
	}
	return nil
}

// numbersRows reports whole numbers without gaps, or names, none of them twice.
func (c *Column) numbersRows() bool {
	return c.Unique() && (c.Numbers == 0 || c.all(c.Whole) && c.most-c.least < 2*float64(c.Rows))
}

// counts reports whole numbers that follow one another without a gap: whatever
// their name, they number the rows. Years and ages may do so too.
func (c *Column) counts(rows int) bool {
	const enough = 20
	return rows >= enough && c.all(c.Whole) && c.most-c.least == float64(rows-1) &&
		!timeName.MatchString(c.Name) && !strings.EqualFold(c.Name, "age")
}

// pickRecordID finds the id of tables with one record a row: a column named
// like an id without repeats, or the first column without repeats that holds
// names; with groups the person comes first.
func (pl *plan) pickRecordID(p *Profile, o Options) {
	if pl.id != none {
		return
	}
	named := func(c *Column) bool { return c.Unique() }
	many := func(c *Column) bool { return c.Distinct > 2 || c.Rows <= 4 } // two values name no records
	choices := []int{}
	if o.Group {
		choices = append(choices, pl.ownerID(p, o), pl.pick(p, idName, nil))
	}
	choices = append(choices,
		pl.pick(p, stayName, named), pl.pick(p, personName, named), pl.pick(p, idName, named),
		pl.pick(p, rowNumber, (*Column).numbersRows), pl.pick(p, personName, many), pl.pick(p, plainID, many))
	if pl.id = firstOf(choices...); pl.id != none || p.Rows < 2 {
		return
	}
	if c := &p.Columns[0]; !pl.taken(0) && c.Unique() && (c.Numbers == 0 && !c.words() && c.Times == 0 || c.counts(p.Rows)) {
		pl.id = 0
	}
}

func (pl *plan) planText(p *Profile, o Options) error {
	pl.kind = record.Text
	if pl.text == none {
		pl.text = firstOf(pl.pick(p, textName, (*Column).words), wordiest(p), pl.pick(p, textName, nil))
	}
	if pl.text == none {
		return fmt.Errorf("no column looks like running text, name it with ‹text›; the columns are: %s", p.names())
	}
	o.Group = false // a text is a record
	pl.pickRecordID(p, o)
	return pl.distinctRoles(p)
}

// wordiest returns the column with the most text, none when there is no text.
func wordiest(p *Profile) int {
	best, most := none, 0
	for i := range p.Columns {
		if c := &p.Columns[i]; c.words() && c.Letters > most {
			best, most = i, c.Letters
		}
	}
	return best
}

func (pl *plan) planList(p *Profile, o Options) error {
	pl.kind, pl.group = record.Presence, o.Group
	columns, err := pl.listColumns(p, o)
	if err != nil {
		return err
	}
	for _, i := range columns {
		if i != pl.id && i != pl.time {
			pl.features = append(pl.features, feature{column: i, kind: record.Presence})
		}
	}
	pl.planCells(p, o, columns...)
	pl.medical = p.medical(o, columns...)
	if len(pl.features) == 0 {
		return fmt.Errorf("no column of codes is left; name them with ‹code›, as in ‹code› 'dx*'")
	}
	if pl.version == none {
		pl.version = pl.pick(p, versionName, func(c *Column) bool { return c.Distinct <= 12 })
	}
	pl.pickRecordID(p, o)
	pl.rowsOfPeople(p, o)
	if o.Group && pl.id == none {
		return fmt.Errorf("no column with the id of the patient, name it with ‹id›; the columns are: %s", p.names())
	}
	return nil
}

// listColumns are those named, those named alike, or all but the first.
func (pl *plan) listColumns(p *Profile, o Options) ([]int, error) {
	patterns := o.Columns
	if o.Code != "" {
		patterns = strings.Split(o.Code, ",")
	}
	if len(patterns) > 0 {
		columns, err := p.match(patterns)
		if err != nil {
			return nil, fmt.Errorf("‹code›: %w", err)
		}
		return columns, nil
	}
	if f, ok := listFamily(p, o); ok {
		return f.columns, nil
	}
	if i := p.codeOfRow(o); i != none && o.Guessed {
		return p.codesOfRow(i, o), nil
	}
	if i, how := p.manyOfRow(o); i != none && o.Guessed {
		pl.part(how)
		return []int{i}, nil
	}
	pl.pickRecordID(p, o)
	labels := pl.labels(p, o)
	var columns []int
	for i := range p.Columns {
		if i != pl.id && !labels[i] {
			columns = append(columns, i)
		}
	}
	return columns, nil
}
