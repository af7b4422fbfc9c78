package encode

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/warn"
)

// stats are the counts of every term over the records that stay.
type stats struct {
	records int
	rows    int
	df      []int     // records with the term
	freq    []float64 // its occurrences; records, for presences
	stored  []int     // entries, of whatever value
	missing []int     // entries that are missing
	lo, hi  []float64 // range of the values that are there
	last    []int     // last record that had the term, from 1
	idBytes int64
}

func (s *stats) grow(n int) {
	if s.df == nil { // mostly the number is known, and large
		s.df, s.stored, s.missing, s.last = make([]int, 0, n), make([]int, 0, n), make([]int, 0, n), make([]int, 0, n)
		s.freq, s.lo, s.hi = make([]float64, 0, n), make([]float64, 0, n), make([]float64, 0, n)
	}
	for len(s.df) < n {
		s.df, s.freq, s.last = append(s.df, 0), append(s.freq, 0), append(s.last, 0)
		s.stored, s.missing = append(s.stored, 0), append(s.missing, 0)
		s.lo, s.hi = append(s.lo, math.Inf(1)), append(s.hi, math.Inf(-1))
	}
}

// asPresence reports that a feature is there or not, however often it comes.
func (e *encoder) asPresence() bool {
	if e.plan.isCodes() {
		return !e.s.Counts
	}
	return e.kind == record.Presence || e.kind == record.Categorical
}

// count counts the terms of the records that stay.
func (e *encoder) count(ctx context.Context) error {
	st := &stats{}
	e.stats = st
	if e.short = e.direct(); e.short != nil {
		return e.short.count(ctx)
	}
	st.grow(e.terms.dict.Len())
	presence := e.asPresence()
	uses := make([]int, e.raw.Len())
	seenKey := make([]int, e.raw.Len())
	var bad error
	current := ""
	emit := func(t uint32, v float64) {
		st.grow(int(t) + 1)
		if err := e.add(t, v, presence, current); err != nil && bad == nil {
			bad = err
		}
	}
	err := e.each(ctx, false, func(c *chunk, i int, id string) error {
		st.records++
		st.idBytes += int64(len(id)) + 16
		current = id
		from, to := c.rows(i)
		for j := from; j < to; j++ {
			st.rows++
			feature, value := c.row(j)
			e.duplicates(feature, seenKey, st.rows)
			for _, raw := range feature {
				uses[raw]++
			}
			e.terms.row(feature, value, emit)
		}
		return bad
	})
	if err != nil {
		return err
	}
	return e.counted(uses)
}

// counted ends the counting.
func (e *encoder) counted(uses []int) error {
	st := e.stats
	e.sum.Kept, e.sum.Stopped = st.records, e.terms.stopped
	if st.records == 0 {
		return fmt.Errorf("encode: %w of %d: no record meets %q", ErrNoRecords, e.sum.Read, shortened(e.s.Where))
	}
	e.reportUses(uses)
	return nil
}

// add counts one entry.
func (e *encoder) add(t uint32, v float64, presence bool, id string) error {
	st := e.stats
	st.stored[t]++
	if math.IsNaN(v) {
		st.missing[t]++
		return nil
	}
	if err := e.legal(t, v, id); err != nil {
		return err
	}
	st.lo[t], st.hi[t] = min(st.lo[t], v), max(st.hi[t], v)
	first := st.last[t] != st.records
	if v == 0 && !(e.kind == record.Real || e.kind == record.Mixed) {
		return nil
	}
	if first {
		st.last[t] = st.records
		st.df[t]++
	}
	if presence {
		v = 0
		if first {
			v = 1
		}
	}
	st.freq[t] += v
	return nil
}

// legal refuses numbers that the kind does not allow.
func (e *encoder) legal(t uint32, v float64, id string) error {
	if math.IsInf(v, 0) {
		return fmt.Errorf("encode: record %s: %s is infinite", id, e.terms.dict.Name(t))
	}
	if hasColumns(e.kind) {
		return nil
	}
	if v < 0 {
		return fmt.Errorf("encode: record %s: %s is %g, and a count cannot be negative: use ‹format› real for measurements", id, e.terms.dict.Name(t), v)
	}
	return nil
}

// duplicates counts the codes that come twice in a row of presences. row is the
// number of the row from 1.
func (e *encoder) duplicates(feature []uint32, seen []int, row int) {
	if e.terms.isWords || !e.asPresence() {
		return
	}
	for _, raw := range feature {
		key := e.terms.key[raw]
		if seen[key] == row {
			e.sum.Duplicates++
		}
		seen[key] = row
	}
}

// reportUses tells which codes are unknown and what was repaired.
func (e *encoder) reportUses(uses []int) {
	s := e.sum
	if s.Duplicates > 0 {
		one, many := "feature", "features"
		if e.plan.isCodes() {
			one, many = "code", "codes"
		}
		s.counting(warn.New(warn.Note, "duplicates", "", "%s recorded more than once for the same record and %s once.",
			record.Thousands(s.Duplicates)+" "+verb(s.Duplicates, one+" was", many+" were"), verb(s.Duplicates, "counts", "count")),
			"Some "+many+" were recorded more than once for the same record and count once.", s.Duplicates, s.Duplicates)
	}
	if !e.plan.isCodes() {
		return
	}
	var repaired, total int
	var unclear []doubt
	for raw, n := range uses {
		total += n
		if n == 0 {
			continue
		}
		c := e.plan.code(e.raw.Name(uint32(raw)))
		_, rest := codes.Cut(strings.TrimSpace(e.raw.Name(uint32(raw))))
		if fits := e.plan.Zeros.Doubtful(rest); fits != nil && c.system == codes.ICD9 {
			unclear = append(unclear, doubt{rest, fits, n})
			continue // said once: what it may be, not that no table has it
		}
		if c.outcome == codes.Repaired {
			repaired += n
		}
		if c.system != codes.None && !codes.Known(c.system, c.key) {
			s.Unknown = append(s.Unknown, Count{e.raw.Name(uint32(raw)), n})
			s.UnknownUses += n
		}
	}
	s.UnknownCodes = len(s.Unknown)
	s.Unknown = most(s.Unknown, topFeatures)
	e.reportZeros(repaired, unclear)
	e.reportUnknown(total)
}

// ZerosUnclear is the warning that codes may be others, because zeros were lost.
const ZerosUnclear = "zeros-unclear"

// doubt is a code that may be several, with the number of its entries.
type doubt struct {
	raw  string
	fits []string
	n    int
}

func (e *encoder) reportZeros(repaired int, unclear []doubt) {
	s := e.sum
	if repaired > 0 {
		const what = "leading zeros of codes put back"
		s.Repairs = append(s.Repairs, Count{what, repaired})
		e.problems.Repaired(what, repaired)
		const remedy = "Read code columns as text in the spreadsheet that made the file."
		s.counting(warn.New(warn.Caution, "zeros-repaired", remedy,
			"Leading zeros were probably removed by a spreadsheet; they were put back in %s where only one code fits.", plural(repaired, "place")),
			"Leading zeros were probably removed by a spreadsheet; they were put back where only one code fits. "+remedy, repaired, repaired)
	}
	if len(unclear) == 0 {
		return
	}
	sort.Slice(unclear, func(i, j int) bool {
		a, b := unclear[i], unclear[j]
		return a.n > b.n || a.n == b.n && a.raw < b.raw
	})
	const named = 3
	total, words, told := 0, []string{}, []int{}
	for i, d := range unclear {
		total += d.n
		told = append(told, d.n)
		if i < named {
			words = append(words, fmt.Sprintf("%s may be %s (%s)", d.raw, inWords(d.fits), entries(d.n)))
		}
	}
	if len(unclear) > named {
		words = append(words, fmt.Sprintf("and %d more, %s in all", len(unclear)-named, entries(total)))
	}
	const remedy = "Export the file again with the code column as text."
	s.counting(warn.New(warn.Serious, ZerosUnclear, remedy,
		"The codes lost their leading zeros: %s. These cannot be told apart and stay as they are.", strings.Join(words, ", ")),
		"Codes lost their leading zeros and may be one code or another. They cannot be told apart and stay as they are. "+remedy, total, told...)
}

// inWords writes the codes that fit as people write them.
func inWords(fits []string) string {
	shown := make([]string, len(fits))
	for i, f := range fits {
		shown[i] = codes.Display(codes.ICD9, f)
	}
	return strings.Join(shown, " or ")
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return record.Thousands(n) + " entries"
}

func (e *encoder) reportUnknown(total int) {
	s := e.sum
	if s.UnknownCodes == 0 {
		return
	}
	weight := warn.Note
	if share(s.UnknownUses, total) > manyUnknown {
		weight = warn.Caution
	}
	s.counting(warn.New(weight, "unknown-codes", "They are kept as features; check the most frequent ones, such as "+s.Unknown[0].Name+".",
		"%s %s not in the %s tables (%s of all entries).", plural(s.UnknownCodes, "code"), verb(s.UnknownCodes, "is", "are"), e.plan.System, percent(s.UnknownUses, total)),
		fmt.Sprintf("Some codes are not in the %s tables. They are kept as features.", e.plan.System), total, s.UnknownUses, s.Unknown[0].N)
}
