package kernel

import (
	"encoding/binary"
	"math"
	"slices"
)

// Triples takes lines of three whole numbers with one blank between them: record,
// feature, value.
type Triples struct {
	Records, Features uint32 // the largest legal numbers, below 1<<31
	// Line i gives Feature[i], the second number less one, and Small[i], the third,
	// which is 1 to 255.
	Feature []uint32
	Small   []uint8
	// Start has the lines whose first number is another than that of the line
	// before, and Record these numbers less one.
	Start, Record []uint32
	// Last holds the first and the second number of the line before, both less one:
	// NoNumber for none.
	Last [2]uint32
	// Falls says that a feature was not above that before it, of the same record.
	Falls bool
}

// NoNumber is what Number gives for a field that is no number.
const NoNumber = math.MaxUint32

// Scan takes lines as long as they are three legal numbers and there is room, and
// returns how many. ends has the places of all blanks and line ends of the text,
// with that before the first line in front: NoNumber where the text begins.
func (t *Triples) Scan(text []byte, ends []uint32) int {
	n := min((len(ends)-1)/3, len(t.Feature), len(t.Small))
	done := 0
	for done < n {
		if hasTriples() {
			done = t.scanFast(text, ends, done, n)
		}
		for to := min(done+8, n); done < to; done++ { // what holds up eight lines
			if e := ends[3*done : 3*done+4]; !t.line(text, [4]uint32(e), done) {
				return done
			}
		}
	}
	return done
}

// line takes line i, whose numbers end at e[1:].
func (t *Triples) line(text []byte, e [4]uint32, i int) bool {
	if text[e[1]] != ' ' || text[e[2]] != ' ' || text[e[3]] != '\n' {
		return false
	}
	a, b, c := Number(text, e[0], e[1])-1, Number(text, e[1], e[2])-1, Number(text, e[2], e[3])-1
	if a >= t.Records || b >= t.Features || c >= math.MaxUint8 {
		return false
	}
	if a != t.Last[0] {
		t.Start, t.Record = append(t.Start, uint32(i)), append(t.Record, a)
	} else if b <= t.Last[1] {
		t.Falls = true
	}
	t.Last = [2]uint32{a, b}
	t.Feature[i], t.Small[i] = b, uint8(c+1)
	return true
}

// Number returns the whole number between two separators: one to eight digits and
// nothing else, NoNumber for any other field. The place of a separator before the
// text is NoNumber.
func Number(text []byte, before, end uint32) uint32 {
	n := int32(end - before - 1)
	if n == 1 { // most counts
		if d := text[end-1] - '0'; d <= 9 {
			return uint32(d)
		}
		return NoNumber
	}
	if uint32(n-1) >= 8 {
		return NoNumber
	}
	var x uint64
	if end >= 8 {
		x = binary.LittleEndian.Uint64(text[end-8:end]) ^ '0'*low
	} else {
		var b [8]byte
		copy(b[8-n:], text[end-uint32(n):end])
		x = binary.LittleEndian.Uint64(b[:]) ^ '0'*low
	}
	x &= math.MaxUint64 << (64 - 8*n)
	if (x|(x+low*(127-9)))&(low<<7) != 0 {
		return NoNumber
	}
	// Neighbours are joined three times: digits, pairs, fours.
	x = x*10 + x>>8
	const lanes = 0x000000ff000000ff
	return uint32((x&lanes*(100+1000000<<32) + x>>16&lanes*(1+10000<<32)) >> 32)
}

// grow makes room for so many starts, and eight more.
func (t *Triples) grow(n int) {
	t.Start, t.Record = slices.Grow(t.Start, n+8), slices.Grow(t.Record, n+8)
}

// scanFast goes on from line from, as far as eights allow, and returns the line
// where it ends.
func (t *Triples) scanFast(text []byte, ends []uint32, from, to int) int {
	const piece = 1 << 12 // lines
	for from+8 <= to {
		n := min(to-from, piece) &^ 7
		before := ends[3*from]
		if before < 8 || int(before) >= len(text) || len(text) >= 1<<31 {
			return from
		}
		t.grow(n)
		last := [...]uint32{t.Last[0], t.Last[1], uint32(from), 0, 0}
		at, done := len(t.Start), 0
		callTriples(&t.Feature[from], &t.Small[from], &text[0], len(text), &ends[3*from+1], n,
			&t.Start[:at+1][at], &t.Record[:at+1][at], &t.Records, &last[0], &done)
		t.Last = [2]uint32(last[:2])
		t.Falls = t.Falls || last[3] != 0
		t.Start, t.Record = t.Start[:at+int(last[4])], t.Record[:at+int(last[4])]
		from += done
		if done < n {
			break
		}
	}
	return from
}
