package source

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/kernel"
)

// windows1252 maps bytes to characters. Bytes without a meaning (81, 8D, 8F,
// 90, 9D) become the replacement character.
var windows1252 = makeWindows1252()

func makeWindows1252() (t [256]rune) {
	for i := range t {
		t[i] = rune(i)
	}
	upper := [32]rune{
		'€', utf8.RuneError, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', utf8.RuneError, 'Ž', utf8.RuneError,
		utf8.RuneError, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', utf8.RuneError, 'ž', 'Ÿ',
	}
	copy(t[0x80:], upper[:])
	return t
}

// isControl reports control bytes that text does not hold: all but tab, the
// line ends, vertical tab and form feed.
func isControl(c byte) bool { return c < 9 || c > 13 && c < 32 }

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// odd has bits set when one of the eight bytes of w is a control byte or
// beyond ASCII. For ASCII bytes c the sum c+(127-m) sets the high bit for
// c > m, and (127+n)-c keeps it for c < n.
func odd(w uint64) uint64 {
	low := w &^ highs
	below9 := ones*(127+9) - low
	below32 := ones*(127+32) - low
	above13 := low + ones*(127-13)
	return (w | below9 | below32&above13) & highs
}

// cleanPrefix returns the length of the longest prefix of b that is UTF-8
// without control bytes, and whether it holds characters beyond ASCII.
func cleanPrefix(b []byte) (n int, wide bool) {
	for {
		if n+64 <= len(b) && odd(binary.LittleEndian.Uint64(b[n:])) == 0 {
			n += kernel.Clean(b[n:])
		}
		for n+8 <= len(b) && odd(binary.LittleEndian.Uint64(b[n:])) == 0 {
			n += 8
		}
		for end := min(n+8, len(b)); n < end; {
			c := b[n]
			if c < utf8.RuneSelf {
				if isControl(c) {
					return n, wide
				}
				n++
				continue
			}
			r, size := utf8.DecodeRune(b[n:])
			if r == utf8.RuneError && size <= 1 {
				return n, wide
			}
			wide = true
			n += size
		}
		if n >= len(b) {
			return n, wide
		}
	}
}

// decodeUTF16 decodes pairs of bytes; an odd last byte is dropped at the end.
func (d *decoder) decodeUTF16(b []byte) {
	d.out = d.out[:0]
	order := binary.ByteOrder(binary.LittleEndian)
	if d.enc == asUTF16BE {
		order = binary.BigEndian
	}
	for len(b) >= 2 {
		u := rune(order.Uint16(b))
		size := 2
		if utf16.IsSurrogate(u) {
			if len(b) < 4 && !d.ended {
				break
			}
			u, size = surrogate(u, b, order)
		}
		if u < 32 && isControl(byte(u)) {
			d.binary([]byte{byte(u), 0})
			return
		}
		d.out = utf8.AppendRune(d.out, u)
		d.offset += int64(size)
		b = b[size:]
	}
	if !d.ended {
		d.carry = append(d.carry[:0], b...)
	}
}

func surrogate(u rune, b []byte, order binary.ByteOrder) (rune, int) {
	if len(b) >= 4 {
		if r := utf16.DecodeRune(u, rune(order.Uint16(b[2:]))); r != utf8.RuneError {
			return r, 4
		}
	}
	return utf8.RuneError, 2
}
