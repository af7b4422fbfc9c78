package delimited

import (
	"bytes"
	"math"

	"github.com/moiety-go/moiety/record"
)

// Column is what the rows that were looked at tell about one column.
type Column struct {
	Name     string
	Rows     int // values that are not missing
	Missing  int
	Distinct int // different values, counted up to a limit
	Binary   int // values that read as 0/1, yes/no, true/false
	Whole    int // values that are whole numbers >= 0
	Numbers  int // values that are numbers
	Times    int // values that are dates
	Zeros    int // values that are 0
	Runs     int // runs of equal values, one below the other
	Letters  int // bytes of all values
	Words    int // blanks inside all values
	Codes    int // values that look like codes: short, with a digit, no blank
	Zeroed   int // whole numbers written with leading zeros
	Width    int // longest value

	limits, percents, thousands, negatives, money int

	unit   string // of all values that have one, "" where they differ
	united int    // values that are a number with a unit
	mixed  bool   // values have different units

	pairs     uint8 // pairs of words (yes and no) that all values belong to
	least     float64
	most      float64
	plain     float64 // the largest number that is none of nines
	above     float64 // the smallest number above 0
	digit     [10]int // values of one digit, not yet in sample
	before    *value  // the value of the row above, nil where it is missing or one digit
	sample    map[string]*value
	full      bool              // sample reached its limit
	fractions int               // in sample
	odd       map[string]*value // values beyond it that are not above 0 or no numbers, a few

	declared *record.Kind // what the column is said to hold; nil: nobody said so

	inOrder []string // made by ordered
	coded   *float64 // made by evidence
}

// value is one of the different values of a column.
type value struct {
	traits
	n  int
	at spot // where it stands first
}

// spot is a line of an input.
type spot struct {
	file string
	nth  float64 // of the input among all inputs, for order
	line int
}

func (p spot) before(q spot) bool {
	return p.nth < q.nth || p.nth == q.nth && p.line < q.line
}

// Bounds of a look in advance.
const (
	distinctLimit = 10000
	sampleValues  = 2 << 20 // different values kept of all columns together
	oddLimit      = 20
	// fractionLimit is the number of different fractions kept of a column: so many are
	// measurements, and no ids, steps or answers. All of 400 columns were 220 MB and more.
	fractionLimit = 1 << 10
)

// limitOf is the number of different values kept of each of n columns.
func limitOf(n int) int { return max(64, min(distinctLimit, sampleValues/max(n, 1))) }

func newColumns(names []string) []Column {
	columns := make([]Column, len(names))
	for i := range columns {
		columns[i] = Column{
			Name: names[i], pairs: allPairs, least: math.Inf(1), most: math.Inf(-1), above: math.Inf(1),
			sample: map[string]*value{}, odd: map[string]*value{},
		}
	}
	return columns
}

// add counts a value; again says that it is that of the row above. Most values come
// again: each is judged once.
func (c *Column) add(f []byte, d dialect, limit int, at spot, again bool) {
	if again && c.before != nil {
		c.Rows++
		c.before.n++
		c.tally(c.before, len(f), 1)
		return
	}
	c.before = nil
	if len(f) == 1 && f[0]-'0' <= 9 && c.digit[f[0]-'0'] > 0 {
		c.digit[f[0]-'0']++
		c.Rows++
		return
	}
	if missing(f) {
		c.Missing++
		return
	}
	c.Rows++
	v := c.sample[string(f)]
	if v == nil && c.full {
		v = c.odd[string(f)]
	}
	if v == nil {
		v = c.fresh(f, d, limit, at)
	}
	if len(f) == 1 && f[0]-'0' <= 9 {
		c.digit[f[0]-'0']++
		return
	}
	v.n++
	c.tally(v, len(f), 1)
	c.before = v
}

// fresh judges a value that is not in the sample, and keeps it where there is
// room.
func (c *Column) fresh(f []byte, d dialect, limit int, at spot) *value {
	v := &value{traits: traitsOf(f, d.decimal), at: at}
	c.pairs &= v.pairs
	number := v.has(isNumber) == 1
	if v.has(isUnit) == 1 {
		_, unit, _ := cutUnit(f, d.decimal)
		c.haveUnit(unit)
	}
	if number {
		c.least, c.most = min(c.least, v.x), max(c.most, v.x)
		if !nines(v.x) {
			c.plain = max(c.plain, v.x)
		}
		if v.x > 0 {
			c.above = min(c.above, v.x)
		}
	}
	if c.room(v, limit) {
		c.sample[string(f)] = v
		c.Distinct = len(c.sample)
		return v
	}
	c.full = true
	if (!number || v.x <= 0 || nines(v.x)) && len(c.odd) < oddLimit {
		c.odd[string(f)] = v
	}
	return v
}

// room reports that one value more is kept in the sample, and counts it where it is a fraction.
func (c *Column) room(v *value, limit int) bool {
	fraction := v.has(isNumber) == 1 && v.x != math.Trunc(v.x)
	if len(c.sample) >= limit || fraction && c.fractions >= fractionLimit {
		return false
	}
	if fraction {
		c.fractions++
	}
	return true
}

// tally adds n values with the traits of v.
func (c *Column) tally(v *value, length, n int) {
	c.Binary += n * v.has(isBinary)
	c.Numbers += n * v.has(isNumber)
	c.Zeros += n * v.has(isZero)
	c.Whole += n * v.has(isWhole)
	c.Zeroed += n * v.has(isZeroed)
	c.Times += n * v.has(isTime)
	c.Codes += n * v.has(isCode)
	c.limits += n * v.has(isLimit)
	c.percents += n * v.has(isPercent)
	c.thousands += n * v.has(isThousands)
	c.negatives += n * v.has(isNegative)
	c.money += n * v.has(isMoney)
	c.united += n * v.has(isUnit)
	c.Letters += n * length
	c.Words += n * v.words
	c.Width = max(c.Width, length)
}

// flush brings the digits that were counted apart into the sample.
func (c *Column) flush() {
	for i, n := range c.digit {
		if n == 0 {
			continue
		}
		name := string(rune('0' + i))
		v := c.value(name)
		if v == nil { // the sample was full
			v = &value{traits: traitsOf([]byte(name), '.')}
		}
		v.n += n
		c.tally(v, 1, n)
		c.digit[i] = 0
	}
}

// join adds what another worker counted of the same column; both are settled.
func (c *Column) join(o *Column, limit int) {
	c.Rows, c.Missing, c.Runs = c.Rows+o.Rows, c.Missing+o.Missing, c.Runs+o.Runs
	c.Binary, c.Whole, c.Numbers = c.Binary+o.Binary, c.Whole+o.Whole, c.Numbers+o.Numbers
	c.Times, c.Zeros, c.Codes, c.Zeroed = c.Times+o.Times, c.Zeros+o.Zeros, c.Codes+o.Codes, c.Zeroed+o.Zeroed
	c.Letters, c.Words, c.Width = c.Letters+o.Letters, c.Words+o.Words, max(c.Width, o.Width)
	c.limits, c.percents = c.limits+o.limits, c.percents+o.percents
	c.thousands, c.negatives = c.thousands+o.thousands, c.negatives+o.negatives
	c.money, c.united = c.money+o.money, c.united+o.united
	c.haveUnit(o.unit)
	c.mixed = c.mixed || o.mixed
	c.pairs &= o.pairs
	c.least, c.most, c.plain, c.above = min(c.least, o.least), max(c.most, o.most), max(c.plain, o.plain), min(c.above, o.above)
	c.full = c.full || o.full
	if len(c.sample) == 0 {
		c.sample, c.fractions = o.sample, o.fractions
	} else {
		c.full = joinValues(c.sample, o.sample, func(v *value) bool { return c.room(v, limit) }) || c.full
	}
	joinValues(c.odd, o.odd, func(*value) bool { return len(c.odd) < oddLimit })
	c.Distinct = len(c.sample)
}

// joinValues adds values while there is room, and reports that there was too little.
func joinValues(to, from map[string]*value, room func(*value) bool) (full bool) {
	for text, v := range from {
		if old := to[text]; old != nil {
			if old != v {
				old.n += v.n
				if v.at.before(old.at) {
					old.at = v.at
				}
			}
		} else if room(v) {
			to[text] = v
		} else {
			full = true
		}
	}
	return full
}

// traits are what a value may be, as bits, its number and its blanks.
type traits struct {
	bits  uint16
	pairs uint8
	words int
	x     float64
}

const (
	isBinary = 1 << iota
	isNumber
	isZero
	isWhole
	isZeroed
	isTime
	isCode
	isLimit     // <0.2
	isPercent   // 61 %
	isThousands // 15.041,84
	isNegative
	isMoney  // $1,200 or (1,200)
	isUnit   // 72 kg: no number by itself, see Column.unit
	isSigned // 12.50- or −12.50
)

// has returns 1 for a trait that is there.
func (t traits) has(bit uint16) int {
	if t.bits&bit != 0 {
		return 1
	}
	return 0
}

func traitsOf(f []byte, decimal byte) traits {
	if _, ok := isoDay(f); ok { // nothing else, and often
		return traits{bits: isTime | isCode}
	}
	t := traits{words: bytes.Count(f, []byte{' '})}
	set := func(bit uint16, ok bool) {
		if ok {
			t.bits |= bit
		}
	}
	_, t.pairs = binaryValue(f)
	set(isBinary, t.pairs != 0)
	if x, how, ok := anyNumber(f, decimal); ok {
		t.x = x
		set(isNumber, true)
		set(isZero, x == 0)
		set(isWhole, x >= 0 && x <= 1<<53 && x == math.Trunc(x) && how != isLimit)
		set(isNegative, x < 0)
		set(isZeroed, len(f) > 1 && f[0] == '0' && f[1]-'0' <= 9)
		set(how, true)
	} else if x, _, ok := cutUnit(f, decimal); ok {
		t.x = x
		set(isUnit, true)
	} else {
		_, ok := timeKey(f, decimal)
		set(isTime, ok || dayFirst(f) || monthNamed(f) || clock(f))
	}
	set(isCode, len(f) <= 10 && t.words == 0 && bytes.ContainsAny(f, "0123456789"))
	return t
}
