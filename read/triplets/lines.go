package triplets

import (
	"bytes"
	"math"
	"slices"
	"sync"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/pages"
)

// Lines reads lines of three whole numbers, "record feature value", both numbers
// from 1, into a Block. It first finds all blanks and line ends of a text, then
// takes eight digits at a time; a line of any other form is left to the caller.
type Lines struct {
	Records, Features int // the largest legal numbers
	// Other gets every line that is not three short legal numbers with one blank
	// between, without its line end, and its number from 0. It may call Add.
	Other func(line []byte, number int)
	Block Block
	Taken int // lines that were entered by Lines itself

	n       int    // entries so far
	record  uint32 // of the last entry, from 0
	feature uint32 // of the last entry, from 0
}

// Scan reads a text, which ends with a line end, and returns the number of lines.
func (l *Lines) Scan(text []byte) int {
	lines := bytes.Count(text, []byte{'\n'})
	l.Block = Block{Feature: pages.Make[uint32](lines), Small: pages.Make[uint8](lines), Ascending: true}
	s, _ := scratches.Get().(*scratch)
	if s == nil {
		s = new(scratch)
	}
	number := 0
	for len(text) > 0 {
		n := portion(text)
		number = l.walk(text[:n], s, number)
		text = text[n:]
	}
	scratches.Put(s)
	l.Block.cut(l.n)
	return lines
}

// portionSize is what stays in the first cache from finding the blanks to taking
// the numbers.
const portionSize = 16 << 10

// portion returns the length of a run of whole lines, of about portionSize.
func portion(text []byte) int {
	if len(text) <= portionSize {
		return len(text)
	}
	if n := bytes.LastIndexByte(text[:portionSize], '\n'); n >= 0 {
		return n + 1
	}
	return portionSize + bytes.IndexByte(text[portionSize:], '\n') + 1
}

// scratch holds the places of blanks and line ends, and the numbers before them.
type scratch struct{ at, number []uint32 }

var scratches sync.Pool // of *scratch: memory only, never content

// look finds the fields of a text.
func (s *scratch) look(text []byte) {
	s.at = kernel.Places(s.at[:0], text, [4]byte{' ', '\n', ' ', '\n'})
	s.number = slices.Grow(s.number[:0], len(s.at))[:len(s.at)]
	kernel.Numbers(s.number, text, 0, s.at)
}

// walk takes the lines of a portion; number is that of the first. It returns the
// number of the line behind them.
func (l *Lines) walk(text []byte, s *scratch, number int) int {
	s.look(text)
	at, start := s.at, 0
	regular := threes(text, at)
	for i := 0; i < len(at); number++ {
		n := l.plain(text, at[i:], s.number[i:], regular)
		if n > 0 {
			i, number = i+3*n, number+n
			start = int(at[i-1]) + 1
		}
		if i == len(at) {
			break
		}
		for text[at[i]] != '\n' {
			i++
		}
		l.Other(text[start:at[i]], number)
		start = int(at[i]) + 1
		i++
	}
	return number
}

// threes reports that all lines have three places: every third is a line end, and
// there are no others.
func threes(text []byte, at []uint32) bool {
	if len(at)%3 != 0 {
		return false
	}
	for i := 2; i < len(at); i += 3 {
		if text[at[i]] != '\n' {
			return false
		}
	}
	return 3*bytes.Count(text, []byte{'\n'}) == len(at)
}

// plain enters lines as long as they are three legal numbers, and returns how
// many. Such a line has three places, the third of them its end; regular says
// that all have.
func (l *Lines) plain(text []byte, at, value []uint32, regular bool) int {
	out := &l.Block
	if out.Value != nil {
		return l.plainWide(text, at, value)
	}
	lines := len(at) / 3
	features, small := out.Feature[l.n:], out.Small[l.n:]
	lines = min(lines, len(features), len(small))
	records, dim := uint32(min(l.Records, math.MaxInt32)), uint32(min(l.Features, math.MaxInt32))
	record, last, fresh := l.record, l.feature, l.n == 0
	ascending := out.Ascending
	k := 0
	for ; k < lines; k++ {
		p, v := at[3*k:3*k+3:3*k+3], value[3*k:3*k+3:3*k+3]
		r, f := v[0]-1, v[1]-1
		if r >= records || f >= dim || v[2]-1 >= math.MaxUint8 {
			break
		}
		if !regular && (text[p[0]] != ' ' || text[p[1]] != ' ' || text[p[2]] != '\n') {
			break
		}
		if r != record || fresh {
			out.Runs = append(out.Runs, Run{r, l.n + k})
			record, fresh = r, false
		} else if f <= last {
			ascending = false
		}
		last = f
		features[k], small[k] = f, uint8(v[2])
	}
	l.record, l.feature, out.Ascending = record, last, ascending
	l.n, l.Taken = l.n+k, l.Taken+k
	if k < lines && value[3*k+2] > math.MaxUint8 && value[3*k+2] != kernel.NoNumber {
		return k + l.plainWide(text, at[3*k:], value[3*k:]) // the first value that no byte holds
	}
	return k
}

// plainWide is plain once values are wide.
func (l *Lines) plainWide(text []byte, at, value []uint32) int {
	k := 0
	for ; 3*k+3 <= len(at); k++ {
		a, b, c := at[3*k], at[3*k+1], at[3*k+2]
		if text[a] != ' ' || text[b] != ' ' || text[c] != '\n' || !l.enter(value[3*k]-1, value[3*k+1]-1, value[3*k+2]) {
			break
		}
	}
	return k
}

// enter adds an entry if its numbers, both from 0, are legal.
func (l *Lines) enter(record, feature, value uint32) bool {
	if uint(record) >= uint(l.Records) || uint(feature) >= uint(l.Features) || value-1 >= kernel.NoNumber-1 {
		return false
	}
	out := &l.Block
	if record != l.record || l.n == 0 {
		out.Runs = append(out.Runs, Run{record, l.n})
		l.record = record
	} else if feature <= l.feature {
		out.Ascending = false
	}
	l.feature = feature
	out.Feature[l.n] = feature
	if out.Value != nil || value > math.MaxUint8 {
		l.wide(float64(value))
	} else {
		out.Small[l.n] = uint8(value)
	}
	l.n++
	l.Taken++
	return true
}

// wide enters a value that no byte holds, or any behind one.
func (l *Lines) wide(v float64) {
	out := &l.Block
	if out.Value == nil {
		n := len(out.Small)
		out.Small = out.Small[:l.n]
		out.widen()
		out.Value = append(out.Value, make([]float64, n-l.n)...)
	}
	out.Value[l.n] = v
}

// Add enters an entry that Other has read; its numbers are from 0 and legal.
func (l *Lines) Add(record, feature uint32, value float64) {
	out := &l.Block
	if record != l.record || l.n == 0 {
		out.Runs = append(out.Runs, Run{record, l.n})
		l.record = record
	} else if feature <= l.feature {
		out.Ascending = false
	}
	l.feature = feature
	out.Feature[l.n] = feature
	if u := uint8(value); out.Value == nil && float64(u) == value && u > 0 {
		out.Small[l.n] = u
	} else {
		l.wide(value)
	}
	l.n++
}
