package encode

import "context"

// tally counts terms on one core.
type tally struct {
	terms   int
	cells   []cell // by term; nil where all is in both
	stamp   uint32 // of the record at hand
	records int
	idBytes int64
	stopped int

	// For codes: uses of each raw feature.
	uses       []int
	seen       []uint32 // last record of each spelling or raw feature
	duplicates int

	// Where raw features are terms: occurrences and, above them, records of each
	// raw feature, of so many records.
	both []uint64
	many int
}

// Both counts of a feature in one number; mostBoth records leave room for 255
// occurrences in each.
const (
	oneRecord = 1 << 40
	mostBoth  = 1<<24 - 1
)

// cell is what is known of a term.
type cell struct {
	last uint32 // stamp of the last record that had it
	df   uint32
	sum  uint64 // of its values
}

// count fills the stats from all chunks.
func (d *direct) count(ctx context.Context) error {
	e := d.e
	codes := e.plan.isCodes()
	fresh := func() *tally {
		t := &tally{terms: e.terms.dict.Len()}
		if codes {
			t.uses, t.seen = make([]int, e.raw.Len()), make([]uint32, e.raw.Len())
		}
		return t
	}
	all, err := each(ctx, d, "counting features", fresh, func(t *tally, c *chunk, _ int) { d.tally(t, c) })
	if err != nil {
		return err
	}
	st := e.stats
	st.grow(e.terms.dict.Len())
	uses := make([]int, e.raw.Len())
	for _, t := range all {
		st.records, st.idBytes = st.records+t.records, st.idBytes+t.idBytes
		e.terms.stopped += t.stopped
		e.sum.Duplicates += t.duplicates
		for h := range t.cells {
			st.df[h] += int(t.cells[h].df)
			st.freq[h] += float64(t.cells[h].sum) // whole numbers: exact in any order
		}
		for raw, n := range t.both {
			st.df[d.term[raw]] += int(n / oneRecord)
			st.freq[d.term[raw]] += float64(n % oneRecord)
		}
		for raw, n := range t.uses {
			uses[raw] += n
		}
	}
	st.rows = st.records
	if e.asPresence() {
		for h, n := range st.df {
			st.freq[h] = float64(n)
		}
	}
	return e.counted(uses)
}

// tally counts a chunk.
func (d *direct) tally(t *tally, c *chunk) {
	keep := d.picker(c)
	presence := d.e.asPresence()
	if (c.distinct || presence) && d.own && keep.where == nil && t.uses == nil && c.value == nil && c.n() <= mostBoth {
		d.tallyAll(t, c)
		return
	}
	t.begin()
	c.kept, c.entries = 0, 0
	for i := range c.n() {
		if !keep.keeps(i) {
			continue
		}
		c.kept++
		t.idBytes += int64(c.idLength(i)) + 16
		t.next()
		row := c.feature[c.ptr[i]:c.ptr[i+1]]
		if t.uses != nil && presence && !d.e.terms.isWords {
			t.duplicates += t.spellings(d.e.terms.key, row)
		}
		n := 0
		switch {
		case c.small != nil && !presence:
			n = add(t, d.term, row, c.small[c.ptr[i]:c.ptr[i+1]])
		case c.value != nil && !presence:
			n = add(t, d.term, row, c.value[c.ptr[i]:c.ptr[i+1]])
		default:
			n = t.add(d.term, row)
		}
		if t.uses == nil && presence && !d.e.terms.isWords {
			t.duplicates += len(row) - n // every feature has a term
		}
		c.entries += n
	}
	t.records += c.kept
	if t.uses != nil {
		d.countUses(t, c, keep)
	}
}

// tallyAll is tally where all records stay and each raw feature is a term of its
// own.
func (d *direct) tallyAll(t *tally, c *chunk) {
	t.room(len(d.term))
	if t.many += c.n(); t.many > mostBoth {
		t.part(d.term)
		t.many = c.n()
	}
	t.allRecords(c, d.e.s.MaxMemory > 0)
	if c.distinct {
		t.allEntries(c)
		return
	}
	again := t.presences(c)
	c.entries -= again
	if !d.e.terms.isWords {
		t.duplicates += again
	}
}

// room makes room for so many raw features.
func (t *tally) room(n int) {
	if more := n - len(t.both); more > 0 {
		t.both = append(t.both, make([]uint64, more)...)
	}
}

// allRecords counts the records of a chunk, and, where somebody asks for it, the memory of
// their ids.
func (t *tally) allRecords(c *chunk, ids bool) {
	if ids {
		for i := range c.n() {
			t.idBytes += int64(c.idLength(i)) + 16
		}
	}
	c.kept, c.entries = c.n(), len(c.feature)
	t.records += c.kept
}

// allEntries counts the features of a chunk, none of which comes twice in a record.
func (t *tally) allEntries(c *chunk) {
	both, small := t.both, c.small
	if small == nil {
		for _, raw := range c.feature {
			both[raw] += oneRecord + 1
		}
		return
	}
	for e, raw := range c.feature[:len(small)] {
		both[raw] += oneRecord + uint64(small[e])
	}
}

// presences counts records with a feature, and returns how many features came
// again in a record.
func (t *tally) presences(c *chunk) (again int) {
	if t.seen == nil {
		t.seen = make([]uint32, len(t.both))
	}
	both, seen := t.both, t.seen[:len(t.both)]
	from := 0
	for _, to := range c.ptr[1:] {
		t.next()
		stamp := t.stamp
		for _, raw := range c.feature[from:to] {
			if seen[raw] == stamp {
				again++
				continue
			}
			seen[raw] = stamp
			both[raw] += oneRecord
		}
		from = to
	}
	return again
}

// part adds what is counted together to the cells.
func (t *tally) part(term []int32) {
	t.begin()
	for raw, n := range t.both {
		c := &t.cells[term[raw]]
		c.df += uint32(n / oneRecord)
		c.sum += n % oneRecord
	}
	clear(t.both)
}

// countUses counts raw features of the records that stay.
func (d *direct) countUses(t *tally, c *chunk, keep picker) {
	for i := range c.n() {
		if !keep.keeps(i) {
			continue
		}
		for _, raw := range c.feature[c.ptr[i]:c.ptr[i+1]] {
			t.uses[raw]++
		}
	}
}

// begin makes the cells, unless that was done.
func (t *tally) begin() {
	if t.cells == nil {
		t.cells = make([]cell, t.terms)
	}
}

// next begins a record.
func (t *tally) next() {
	t.stamp++
	if t.stamp == 0 { // after four thousand million records
		for h := range t.cells {
			t.cells[h].last = 0
		}
		clear(t.seen)
		t.stamp = 1
	}
}

// spellings counts the codes that come again in a record.
func (t *tally) spellings(key, row []uint32) (again int) {
	for _, raw := range row {
		if t.seen[key[raw]] == t.stamp {
			again++
		}
		t.seen[key[raw]] = t.stamp
	}
	return again
}

// add counts a row of presences and returns the number of its distinct terms.
func (t *tally) add(term []int32, row []uint32) (distinct int) {
	cells, stamp := t.cells, t.stamp
	for _, raw := range row {
		h := term[raw]
		if h < 0 {
			t.stopped++
			continue
		}
		c := &cells[h]
		if c.last != stamp {
			c.last = stamp
			c.df++
			distinct++
		}
		c.sum++
	}
	return distinct
}

// add counts a row with values and returns the number of its distinct terms.
func add[V uint8 | float64](t *tally, term []int32, row []uint32, value []V) (distinct int) {
	value = value[:len(row)]
	for e, raw := range row {
		h := term[raw]
		if h < 0 {
			t.stopped++
			continue
		}
		c := &t.cells[h]
		if c.last != t.stamp {
			c.last = t.stamp
			c.df++
			distinct++
		}
		c.sum += uint64(value[e])
	}
	return distinct
}
