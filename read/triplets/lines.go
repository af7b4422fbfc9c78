package triplets

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"sync"

	"github.com/moiety-go/moiety/internal/kernel"
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
	l.Block = Block{Feature: make([]uint32, lines), Small: make([]uint8, lines), Ascending: true}
	s, _ := scratches.Get().(*scratch)
	if s == nil {
		s = new(scratch)
	}
	number := 0
	for len(text) > 0 {
		n := portion(text)
		number = l.walk(text[:n], s.places(text[:n]), number)
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

// scratch holds the places of blanks and line ends.
type scratch struct {
	marks []uint64
	at    []uint32
}

var scratches sync.Pool // of *scratch: memory only, never content

// places returns where the blanks and line ends of a text are.
func (s *scratch) places(text []byte) []uint32 {
	words := (len(text) + 63) / 64
	if cap(s.marks) < words {
		s.marks = make([]uint64, words)
	}
	s.marks = s.marks[:words]
	kernel.Marks(s.marks, text, [4]byte{' ', '\n', ' ', '\n'})
	most := 0
	for _, w := range s.marks {
		most += bits.OnesCount64(w)
	}
	if cap(s.at) < most {
		s.at = make([]uint32, most+most/4)
	}
	at, n := s.at[:most], 0
	for i, w := range s.marks {
		for base := 64 * i; w != 0; w &= w - 1 {
			at[n] = uint32(base + bits.TrailingZeros64(w))
			n++
		}
	}
	return at
}

// walk takes the lines one by one; number is that of the first. It returns the
// number of the line behind them.
func (l *Lines) walk(text []byte, at []uint32, number int) int {
	start := 0
	known, record := uint64(0), uint32(0) // digits of the last record, and their number
	for i := 0; i < len(at); number++ {
		if i+3 <= len(at) && start >= 8 {
			a, b, c := int(at[i]), int(at[i+1]), int(at[i+2])
			la, lb, lc := a-start, b-a-1, c-b-1
			if text[a] == ' ' && text[b] == ' ' && text[c] == '\n' && uint((la-1)|(lb-1)|(lc-1)) < 8 {
				x, y, z := digits(text, a, la), digits(text, b, lb), digits(text, c, lc)
				if notDigits(x)|notDigits(y)|notDigits(z) == 0 {
					if x != known {
						known, record = x, uint32(eight(x))
					}
					if l.enter(record-1, uint32(eight(y))-1, uint32(eight(z))) {
						start = c + 1
						i += 3
						continue
					}
				}
			}
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

const (
	zeros = 0x3030303030303030
	highs = 0x8080808080808080
)

// digits returns the n bytes before place end, 1 to 8 of them, as digits from 0
// to 9 behind zeros: byte 0 is the first of eight.
func digits(text []byte, end, n int) uint64 {
	return (binary.LittleEndian.Uint64(text[end-8:]) ^ zeros) & last[n&15]
}

// last has the masks of the last n of eight bytes.
var last = [16]uint64{
	1: 0xff << 56, 2: 0xffff << 48, 3: 0xffffff << 40, 4: 0xffffffff << 32,
	5: 0xffffffffff << 24, 6: 0xffffffffffff << 16, 7: 0xffffffffffffff << 8, 8: 0xffffffffffffffff,
}

// notDigits is zero where all bytes are from 0 to 9.
func notDigits(x uint64) uint64 { return (x | (x + 0x7676767676767676)) & highs }

// eight returns the number of eight digits: neighbours are joined three times.
func eight(x uint64) uint64 {
	x = x*10 + x>>8
	const lanes = 0x000000ff000000ff
	return (x&lanes*(100+1000000<<32) + x>>16&lanes*(1+10000<<32)) >> 32
}

// enter adds an entry if its numbers, both from 0, are legal.
func (l *Lines) enter(record, feature, value uint32) bool {
	if uint(record) >= uint(l.Records) || uint(feature) >= uint(l.Features) || value == 0 {
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
