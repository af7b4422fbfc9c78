package encode

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/moiety-go/moiety/record"
)

// Offer is what a site tells of its records before anything is counted together:
// what they are, and how their features are called. It holds no count. Names and
// levels stand by name: in the order in which records have them, the list would begin
// with the codes of one person. Columns stand as in the head of their table.
type Offer struct {
	Plan       Plan   `json:"plan"`
	Format     string `json:"format"`
	OfPatients bool   `json:"of_patients,omitempty"`
	Sparse     bool   `json:"sparse,omitempty"`
	Sequences  bool   `json:"sequences,omitempty"`
	// Unit is what one record is, such as claim or patient, where the records show it.
	Unit    string        `json:"unit,omitempty"`
	Names   []string      `json:"names"`
	Columns []OfferColumn `json:"columns,omitempty"`
	// Looks says what columns of numbers look like one by one, by name, where the kind of the
	// table was guessed: few rows may look otherwise than those of all sites together.
	Looks map[string]string `json:"looks,omitempty"`
}

// OfferColumn is a column of a table.
type OfferColumn struct {
	Name  string   `json:"name"`
	Kind  string   `json:"kind"`
	Terms []string `json:"terms"` // of Names: its levels, or the column itself
}

// Tally is an Offer with the counts of its features, at one site or at all.
type Tally struct {
	Offer
	Records, Rows float64
	each          []counts // by name
}

// counts are those of a feature. All of them add up.
type counts struct {
	df, freq, stored, missing float64
	// places, those of them where the values vary, and the value and its square
	// where there is one: a column that never changes tells nothing.
	has, varies, value, square float64
}

func (c *counts) fields() []*float64 {
	return []*float64{&c.df, &c.freq, &c.stored, &c.missing, &c.has, &c.varies, &c.value, &c.square}
}

// Least drops the names that fewer than so many records have; columns of
// measurements and their levels too.
func (t *Tally) Least(limit int) Offer {
	o, few := t.Offer, map[string]bool{}
	o.Names = nil
	for i, name := range t.Names {
		if few[name] = t.each[i].df < float64(limit); !few[name] {
			o.Names = append(o.Names, name)
		}
	}
	o.Looks = maps.Clone(o.Looks)
	maps.DeleteFunc(o.Looks, func(name, _ string) bool {
		dropped, told := few[name]
		return dropped || !told
	})
	o.Columns = nil
	for _, c := range t.Columns {
		c.Terms = slices.DeleteFunc(slices.Clone(c.Terms), func(name string) bool { return few[name] })
		if len(c.Terms) > 0 {
			o.Columns = append(o.Columns, c)
		}
	}
	return o
}

// Unite returns the offer of all sites: the names of each, in order. Sites whose
// records are of different kinds are refused by name.
func Unite(offers []Offer, sites []string) (Offer, error) {
	out, first := offers[0], sites[0]
	out.Names, out.Columns, out.Looks = nil, nil, nil
	if err := alike(offers, sites); err != nil {
		return out, err
	}
	seen, column := map[string]bool{}, map[string]int{}
	for i, o := range offers {
		if why := o.differs(offers[0]); why != "" {
			return out, fmt.Errorf("encode: the records of %s and %s are not of one kind: %s", sites[i], sites[0], why)
		}
		switch {
		case out.Unit == "":
			out.Unit, first = o.Unit, sites[i]
		case o.Unit != "" && o.Unit != out.Unit:
			return out, fmt.Errorf("encode: a record of %s is a %s and one of %s a %s: say at every site what a record is, with ‹unit›", sites[i], o.Unit, first, out.Unit)
		}
		for _, name := range o.Names {
			if !seen[name] {
				seen[name] = true
				out.Names = append(out.Names, name)
			}
		}
		for _, c := range o.Columns {
			at, ok := column[c.Name]
			if !ok {
				column[c.Name] = len(out.Columns)
				out.Columns = append(out.Columns, OfferColumn{c.Name, c.Kind, slices.Clone(c.Terms)})
				continue
			}
			if out.Columns[at].Kind != c.Kind {
				return out, fmt.Errorf("encode: column %q is %s at %s and %s elsewhere: mend the table, name its format with ‹format›, or leave the column out with ‹exclude›", c.Name, c.Kind, sites[i], out.Columns[at].Kind)
			}
			for _, name := range c.Terms {
				if !slices.Contains(out.Columns[at].Terms, name) {
					out.Columns[at].Terms = append(out.Columns[at].Terms, name)
				}
			}
		}
	}
	if len(out.Names) == 0 {
		return out, fmt.Errorf("encode: %w: no name is frequent enough at any site to be told", ErrNoFeatures)
	}
	return out, nil
}

// alike refuses tables whose columns look otherwise at some sites, where the kind of the table
// was guessed: one machine with all rows might guess another.
func alike(offers []Offer, sites []string) error {
	type look struct{ kind, site string }
	seen := map[string]look{}
	for i, o := range offers {
		for _, name := range o.Names {
			kind, guessed := o.Looks[name]
			if !guessed {
				continue
			}
			before, ok := seen[name]
			if ok && before.kind != kind {
				return fmt.Errorf("encode: the column %q looks like %s at %s and like %s at %s, and rows of all sites together may look otherwise again: "+
					"name the format with ‹format› at every site, such as counts, real or categorical", name, before.kind, before.site, kind, sites[i])
			}
			seen[name] = look{kind, sites[i]}
		}
	}
	return nil
}

// differs says in what two offers do not go together, or is empty.
func (o Offer) differs(p Offer) string {
	a, b, mixed := o.Plan, p.Plan, record.Mixed.String()
	switch {
	case o.Format != p.Format:
		return fmt.Sprintf("one is read as %s and the other as %s: name the format with ‹format›", o.Format, p.Format)
	case !o.Sequences && !p.Sequences && (a.Kind == mixed) != (b.Kind == mixed) && hasNumbers(a.Kind) && hasNumbers(b.Kind):
		return "values are missing at one, or its columns are of different kinds: name the ‹format› mixed at every site"
	case a.Kind != b.Kind, o.Sequences != p.Sequences:
		return fmt.Sprintf("one holds %s records and the other %s: name the format with ‹format›", a.Kind, b.Kind)
	case a.System != b.System || a.Mixed || b.Mixed || a.Marked != b.Marked:
		return fmt.Sprintf("one has codes of %s and the other of %s: name the code system with ‹system›", a.System, b.System)
	case a.Language != b.Language || a.Stopwords != b.Stopwords:
		return fmt.Sprintf("one has texts in %q and the other in %q: name the language with ‹stopwords›", a.Language, b.Language)
	case len(a.Levels) > 1:
		return "a roll-up to several levels is not for joined runs: name one level with ‹rollup›"
	}
	a.Vote, a.Zeros = b.Vote, b.Zeros // a site's own business
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if string(x) != string(y) {
		return "their features are made in other ways"
	}
	return ""
}

// Numbers returns the counts of the names of an offer, in its order; names that
// fewer than limit records have count as if none had.
func (t *Tally) Numbers(of Offer, limit int) []float64 {
	at := make(map[string]int, len(t.Names))
	for i, name := range t.Names {
		at[name] = i
	}
	out := []float64{t.Records, t.Rows}
	for _, name := range of.Names {
		c := counts{}
		if i, ok := at[name]; ok && t.each[i].df >= float64(limit) {
			c = t.each[i].above(float64(limit))
		}
		for _, v := range c.fields() {
			out = append(out, *v)
		}
	}
	return out
}

// above leaves out other counts of fewer than limit.
func (c counts) above(limit float64) counts {
	for _, v := range []*float64{&c.freq, &c.stored, &c.missing} {
		if *v < limit {
			*v = 0
		}
	}
	return c
}

// Tallied is the tally of an offer with these numbers.
func Tallied(o Offer, numbers []float64) (*Tally, error) {
	t := &Tally{Offer: o, each: make([]counts, len(o.Names))}
	if len(numbers) != 2+len(o.Names)*len(new(counts).fields()) {
		return nil, fmt.Errorf("encode: %d counts for %d names", len(numbers), len(o.Names))
	}
	t.Records, t.Rows, numbers = numbers[0], numbers[1], numbers[2:]
	for i := range t.each {
		for _, v := range t.each[i].fields() {
			*v, numbers = numbers[0], numbers[1:]
		}
	}
	return t, nil
}

// Uncounted is the tally of an offer of which nobody may know how many records have
// a name: every name is kept, and none is more frequent than another.
func Uncounted(o Offer) *Tally {
	const many = 1 << 20 // records, half of which have each name: no rule on counts says anything
	t := &Tally{Offer: o, Records: many, Rows: many, each: make([]counts, len(o.Names))}
	for i := range t.each {
		t.each[i] = counts{df: many / 2, freq: many / 2, stored: many / 2, has: 1, varies: 1}
	}
	return t
}

// unit is what one record is, where the rows show it: people who come back, or rows that
// were joined.
func (e *encoder) unit() string {
	if e.problems.Unit == "" && e.problems.Rows > 0 {
		return "patient"
	}
	return e.problems.Unit
}

// hasNumbers reports kinds of tables that are read as columns of different kinds where values
// are missing.
func hasNumbers(kind string) bool {
	return slices.Contains([]string{record.Real.String(), record.Counts.String(), record.Mixed.String()}, kind)
}

// tally returns what was counted here.
func (e *encoder) tally() *Tally {
	t := &Tally{
		Offer:   Offer{Plan: *e.plan, Format: e.schema.Format, OfPatients: e.schema.OfPatients, Sparse: e.schema.Sparse, Sequences: e.sequences(), Unit: e.unit()},
		Records: float64(e.stats.records), Rows: float64(e.stats.rows),
	}
	if hasColumns(e.kind) {
		t.Columns = e.offerColumns()
	}
	for name, kind := range e.schema.Looks {
		if t.Looks == nil {
			t.Looks = map[string]string{}
		}
		t.Looks[name] = kind.String()
	}
	st := e.stats
	st.grow(e.terms.dict.Len())
	for _, i := range e.leaving() {
		t.Names = append(t.Names, e.terms.dict.Name(i))
		c := counts{df: float64(st.df[i]), freq: st.freq[i], stored: float64(st.stored[i]), missing: float64(st.missing[i])}
		switch lo, hi := st.lo[i], st.hi[i]; {
		case lo < hi:
			c.has, c.varies = 1, 1
		case lo == hi:
			c.has, c.value, c.square = 1, lo, lo*lo
		}
		t.each = append(t.each, c)
	}
	return t
}

// leaving returns the terms in the order in which their names leave: by name, or as the
// columns of a table stand where somebody asked for that order.
func (e *encoder) leaving() []uint32 {
	list := make([]uint32, e.terms.dict.Len())
	for t := range list {
		list[t] = uint32(t)
	}
	if !e.s.KeepOrder || !e.isWide() {
		slices.SortFunc(list, e.byName)
	}
	return list
}

// offerColumns returns the columns of a table: first those that its head names, as they
// stand there, then by name those that records brought.
func (e *encoder) offerColumns() []OfferColumn {
	var out []OfferColumn
	for _, c := range e.tableColumns() {
		o := OfferColumn{Name: c.Name, Kind: c.Kind.String()}
		for _, h := range featuresOf(c) {
			for _, term := range e.terms.table[h] {
				o.Terms = append(o.Terms, e.terms.dict.Name(term))
			}
		}
		slices.Sort(o.Terms)
		out = append(out, o)
	}
	head := len(e.schema.Columns)
	if e.schema.Sparse { // its columns are those that some record has
		head = 0
	}
	slices.SortFunc(out[head:], func(a, b OfferColumn) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// span returns the range that stands for the values: a point where they are one.
func (c counts) span() (lo, hi float64) {
	if c.has == 0 {
		return math.Inf(1), math.Inf(-1)
	}
	mean := c.value / c.has
	if c.varies > 0 || c.square/c.has-mean*mean > 1e-9*max(1, mean*mean) {
		return math.Inf(-1), math.Inf(1)
	}
	return mean, mean
}

// encoder returns one that has counted what the tally says, and read nothing.
func (t *Tally) encoder(s Settings) (*encoder, error) {
	plan := t.Plan
	terms, err := newTerms(&plan)
	if err != nil {
		return nil, err
	}
	e := &encoder{s: s, plan: &plan, kind: plan.kindOf(), terms: terms, numbered: true, sum: &Summary{Settings: s, Format: t.Format, OfPatients: t.OfPatients}, buffer: &buffer{}}
	at := map[string]uint32{}
	for i, name := range t.Names {
		at[name] = terms.dict.Add(name)
		terms.table, terms.word = append(terms.table, []uint32{uint32(i)}), append(terms.word, name)
	}
	e.raw, terms.keys = terms.dict, terms.dict
	e.schema = &record.Schema{Format: t.Format, OfPatients: t.OfPatients, Kind: e.kind, Sparse: t.Sparse, Dict: e.raw}
	for _, c := range t.Columns {
		e.schema.Columns = append(e.schema.Columns, c.record(at))
	}
	st := &stats{records: int(t.Records), rows: int(t.Rows)}
	st.grow(len(t.Names))
	for i, c := range t.each {
		st.df[i], st.freq[i], st.stored[i], st.missing[i] = int(c.df), c.freq, int(c.stored), int(c.missing)
		st.lo[i], st.hi[i] = c.span()
	}
	e.stats, e.sum.Read, e.sum.Kept = st, st.records, st.records
	return e, e.choose()
}

func (c OfferColumn) record(at map[string]uint32) record.Column {
	out := record.Column{Name: c.Name}
	for k := record.Presence; k <= record.Text; k++ {
		if k.String() == c.Kind {
			out.Kind = k
		}
	}
	for _, name := range c.Terms {
		out.Levels = append(out.Levels, at[name])
	}
	if out.Kind != record.Categorical {
		out.Feature, out.Levels = out.Levels[0], nil
	}
	return out
}

// agree takes the vocabulary of all sites.
func (e *encoder) agree(ctx context.Context) error {
	all, err := e.s.Agree(ctx, e.tally())
	if err != nil {
		return err
	}
	m, err := all.encoder(e.s)
	if err != nil {
		return err
	}
	c := *m.chosen
	at := make(map[string]int32, c.vocab.Len())
	for h, name := range c.vocab.Names {
		at[name] = int32(h)
	}
	c.feature = make([]int32, e.terms.dict.Len())
	for t := range c.feature {
		h, ok := at[e.terms.dict.Name(uint32(t))]
		if c.feature[t] = h; !ok {
			c.feature[t] = -1
		}
	}
	e.chosen, e.plan.Layout = &c, m.plan.Layout
	e.sum.Rules, e.sum.Order = m.sum.Rules, m.sum.Order // counts of all sites are no part of this one
	e.sum.Warnings = append(e.sum.Warnings, m.sum.Warnings...)
	return nil
}

// Nothing returns a result without records: the vocabulary and the plan of all
// sites, for who holds none of their records.
func Nothing(all *Tally, s Settings) (*Result, error) {
	m, err := all.encoder(s)
	if err != nil {
		return nil, err
	}
	d := m.collector().take()
	if all.Sequences {
		d.Steps = []int{0}
	}
	m.sum.Plan, m.sum.ShortBelow = *m.plan, s.MinCodes
	m.sum.judge(all.Sequences)
	m.sum.finish()
	return &Result{Set: d, Summary: m.sum}, d.Check()
}
