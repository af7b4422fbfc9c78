package encode

import (
	"unicode"
	"unicode/utf8"
)

// tokenizer cuts running text into words. A word is a run of letters, digits
// and the marks that belong to them, in lower case. Everything else separates,
// the apostrophe and the hyphen too: "dell’arte" is "dell" and "arte", "don't"
// is "don" and "t", "well-known" is "well" and "known"; what the apostrophe
// leaves over is in the lists of stop words. The soft hyphen and the zero-width
// joiners vanish. Scripts without spaces between words should come with their
// words already cut.
type tokenizer struct {
	minLength int // letters and digits
	numbers   bool
	turkish   bool // lower case of Turkish: I is ı
	word      []byte
	length    int
	letters   bool
	emit      func([]byte)
}

// cut hands every word of text to emit; the bytes are valid during the call.
func (t *tokenizer) cut(text string, emit func([]byte)) {
	t.emit = emit
	t.reset()
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			t.ascii(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		t.other(r)
		i += size
	}
	t.flush()
}

func (t *tokenizer) ascii(c byte) {
	switch {
	case 'a' <= c && c <= 'z':
		t.letters = true
	case 'A' <= c && c <= 'Z':
		t.letters = true
		if t.turkish && c == 'I' {
			t.word = append(t.word, "ı"...)
			t.length++
			return
		}
		c += 'a' - 'A'
	case '0' <= c && c <= '9':
	default:
		t.flush()
		return
	}
	t.word = append(t.word, c)
	t.length++
}

func (t *tokenizer) other(r rune) {
	switch {
	case unicode.IsLetter(r):
		t.letters = true
		t.length++
		t.word = utf8.AppendRune(t.word, unicode.ToLower(r))
	case unicode.IsDigit(r):
		t.length++
		t.word = utf8.AppendRune(t.word, r)
	case unicode.IsMark(r) && len(t.word) > 0:
		t.word = utf8.AppendRune(t.word, r)
	case r == '\u00ad' || r == '\u200c' || r == '\u200d' || r == '\u2060':
	default:
		t.flush()
	}
}

func (t *tokenizer) flush() {
	if t.length >= t.minLength && (t.letters || t.numbers) && len(t.word) > 0 {
		t.emit(t.word)
	}
	t.reset()
}

func (t *tokenizer) reset() { t.word, t.length, t.letters = t.word[:0], 0, false }
