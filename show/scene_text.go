package show

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// typeface is a font that texts are measured and drawn with. It is immutable.
type typeface struct {
	data    []byte
	font    *sfnt.Font
	advance map[rune]float64 // in em, of every rune the font has
}

var (
	regular = sync.OnceValue(func() *typeface { return newTypeface(goregular.TTF) })
	bold    = sync.OnceValue(func() *typeface { return newTypeface(gobold.TTF) })
)

func face(isBold bool) *typeface {
	if isBold {
		return bold()
	}
	return regular()
}

// newTypeface reads a font that is part of the program; it cannot fail on data.
func newTypeface(ttf []byte) *typeface {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic("show: the built-in font is damaged: " + err.Error())
	}
	t := &typeface{data: ttf, font: f, advance: make(map[rune]float64)}
	var buf sfnt.Buffer
	em := fixed.Int26_6(f.UnitsPerEm()) << 6
	for r := rune(' '); r < 0xfffe; r++ {
		i, err := f.GlyphIndex(&buf, r)
		if err != nil || i == 0 {
			continue
		}
		if a, err := f.GlyphAdvance(&buf, i, em, font.HintingNone); err == nil {
			t.advance[r] = float64(a) / float64(em)
		}
	}
	return t
}

// Heights of the fonts above and below the base line, in em.
const (
	ascent  = 0.76
	descent = 0.22
	leading = 1.25 // from line to line
)

// has reports whether the font can draw a rune.
func (t *typeface) has(r rune) bool { _, ok := t.advance[r]; return ok }

// textWidth returns the width of a line of text.
func textWidth(s string, size float64, isBold bool) float64 {
	t, w := face(isBold), 0.0
	for _, r := range s {
		if a, ok := t.advance[r]; ok {
			w += a
		} else {
			w++ // a square of one em: what other scripts take at most
		}
	}
	return w * size
}

// drawable returns the text with every rune the fonts lack as an empty square;
// the writers that draw letters themselves need it.
func drawable(s string, isBold bool) string {
	t := face(isBold)
	return strings.Map(func(r rune) rune {
		if t.has(r) {
			return r
		}
		return '□'
	}, s)
}

// cleanLine makes one line of printable text of anything: data names things.
func cleanLine(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// fitLabel returns the text, cut with an ellipsis where it is wider than width.
func fitLabel(s string, width, size float64, isBold bool) string {
	s = cleanLine(s)
	if textWidth(s, size, isBold) <= width {
		return s
	}
	runes := []rune(s)
	low, high := 0, len(runes) // the longest beginning that fits
	for low < high {
		mid := (low + high + 1) / 2
		if textWidth(cutLabel(runes[:mid]), size, isBold) <= width {
			low = mid
		} else {
			high = mid - 1
		}
	}
	if low == 0 {
		return ""
	}
	return cutLabel(runes[:low])
}

func cutLabel(r []rune) string { return strings.TrimRight(string(r), " ,;:.") + "…" }

// wrapLabel breaks text into at most lines lines no wider than width; the last is cut
// where there is more, and lines = 0 means any number. Words that are wider than
// a line are broken.
func wrapLabel(s string, width, size float64, isBold bool, lines int) []string {
	words := strings.Fields(cleanLine(s))
	var out []string
	for len(words) > 0 {
		if lines > 0 && len(out) == lines-1 {
			if last := fitLabel(strings.Join(words, " "), width, size, isBold); last != "" {
				out = append(out, last)
			}
			return out
		}
		line := words[0]
		words = words[1:]
		if textWidth(line, size, isBold) > width {
			head, tail := breakWord(line, width, size, isBold)
			line = head
			words = append([]string{tail}, words...)
			out = append(out, line)
			continue
		}
		for len(words) > 0 && textWidth(line+" "+words[0], size, isBold) <= width {
			line += " " + words[0]
			words = words[1:]
		}
		out = append(out, line)
	}
	return out
}

// breakWord cuts a word where it fills the line; at least one letter stays.
func breakWord(s string, width, size float64, isBold bool) (head, tail string) {
	runes := []rune(s)
	n := 1
	for n < len(runes)-1 && textWidth(string(runes[:n+1]), size, isBold) <= width {
		n++
	}
	return string(runes[:n]), string(runes[n:])
}
