package triplets

import (
	"bytes"
	"math"
	"sync"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/pages"
)

// Lines reads lines of three whole numbers, "record feature value", both numbers
// from 1, into a Block. It first finds all blanks and line ends of a text, then
// takes eight lines at a time; a line of any other form is left to the caller.
type Lines struct {
	Records, Features int // the largest legal numbers
	// Other gets every line that is not three short legal numbers with one blank
	// between, without its line end, and its number from 0. It may call Add.
	Other func(line []byte, number int)
	// Feature and Small are memory for the entries of all lines, where there is enough;
	// entries of texts one behind the other then are one list.
	Feature []uint32
	Small   []uint8
	Block   Block
	Taken   int // lines that were entered by Lines itself

	n       int    // entries so far
	record  uint32 // of the last entry, from 0
	feature uint32 // of the last entry, from 0
}

// Scan reads a text with so many line ends and returns the number of its lines.
func (l *Lines) Scan(text []byte, lines int) int {
	if n := len(text); n > 0 && text[n-1] != '\n' {
		text, lines = append(text, '\n'), lines+1
	}
	if len(l.Feature) < lines || len(l.Small) < lines {
		l.Feature, l.Small = pages.Make[uint32](lines), pages.Make[uint8](lines)
	}
	const each = 64 // entries of a record, about: fewer make the list of runs grow
	l.Block = Block{Runs: make([]Run, 0, lines/each+1), Feature: l.Feature[:lines], Small: l.Small[:lines], Ascending: true}
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

// scratch holds the places of blanks and line ends, and the starts of records.
type scratch struct {
	at            []uint32
	start, record []uint32
}

var scratches sync.Pool // of *scratch: memory only, never content

// walk takes the lines of a portion; number is that of the first. It returns the
// number of the line behind them.
func (l *Lines) walk(text []byte, s *scratch, number int) int {
	s.at = kernel.Places(append(s.at[:0], kernel.NoNumber), text, [2]byte{' ', '\n'})
	for i := 0; i+1 < len(s.at); number++ {
		n := l.plain(text, s.at[i:], s)
		if i, number = i+3*n, number+n; i+1 == len(s.at) {
			break
		}
		start := s.at[i] + 1
		for i++; text[s.at[i]] != '\n'; i++ {
		}
		l.Other(text[start:s.at[i]], number)
	}
	return number
}

// plain enters lines as long as they are three legal numbers, and returns how
// many. at has the places of blanks and line ends, that before the first line in
// front.
func (l *Lines) plain(text []byte, at []uint32, s *scratch) int {
	n := 0
	if l.Block.Value == nil {
		n = l.small(text, at, s)
	}
	for at = at[3*n:]; len(at) > 3 && l.any(text, [4]uint32(at)); at = at[3:] {
		n++
	}
	return n
}

// small enters lines as long as their values fit into a byte.
func (l *Lines) small(text []byte, at []uint32, s *scratch) int {
	out := &l.Block
	t := kernel.Triples{
		Records: uint32(min(l.Records, math.MaxInt32)), Features: uint32(min(l.Features, math.MaxInt32)),
		Feature: out.Feature[l.n:], Small: out.Small[l.n:], Start: s.start[:0], Record: s.record[:0],
		Last: [2]uint32{l.record, l.feature},
	}
	if l.n == 0 {
		t.Last[0] = kernel.NoNumber
	}
	n := t.Scan(text, at)
	for i, start := range t.Start {
		out.Runs = append(out.Runs, Run{t.Record[i], l.n + int(start)})
	}
	s.start, s.record = t.Start, t.Record
	if n > 0 {
		l.record, l.feature = t.Last[0], t.Last[1]
	}
	out.Ascending = out.Ascending && !t.Falls
	l.n, l.Taken = l.n+n, l.Taken+n
	return n
}

// any enters a line whose numbers end at e[1:], with a value of any size.
func (l *Lines) any(text []byte, e [4]uint32) bool {
	return text[e[1]] == ' ' && text[e[2]] == ' ' && text[e[3]] == '\n' &&
		l.enter(kernel.Number(text, e[0], e[1])-1, kernel.Number(text, e[1], e[2])-1, kernel.Number(text, e[2], e[3]))
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
