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
		if text[i] < utf8.RuneSelf {
			i = t.ascii(text, i)
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		t.other(r)
		i += size
	}
	t.flush()
}

// ascii takes the run of plain letters and digits at i, which may be empty, and
// what ends it if that is plain too; it returns the place after.
func (t *tokenizer) ascii(text string, i int) int {
	start := i
	var most, changed byte
	for i < len(text) {
		c := lower[text[i]]
		if c == 0 {
			break
		}
		most = max(most, c)
		changed |= c ^ text[i]
		i++
	}
	at := len(t.word)
	t.word = append(t.word, text[start:i]...)
	t.letters = t.letters || most >= 'a'
	if changed != 0 {
		t.lower(at)
	}
	t.length += i - start
	if i < len(text) && text[i] < utf8.RuneSelf {
		t.flush()
		i++
	}
	return i
}

// lower puts the plain letters of the word from at on into lower case.
func (t *tokenizer) lower(at int) {
	for i := at; i < len(t.word); i++ {
		if t.turkish && t.word[i] == 'I' {
			t.word = append(t.word[:i], "ı"+string(t.word[i+1:])...)
			i++
			continue
		}
		t.word[i] = lower[t.word[i]]
	}
}

// lower gives the lower case of plain letters and digits, 0 for everything else.
var lower = func() (table [256]byte) {
	for c := byte('0'); c <= '9'; c++ {
		table[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		table[c], table[c-'a'+'A'] = c, c
	}
	return table
}()

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
