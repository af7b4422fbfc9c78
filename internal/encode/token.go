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
// joiners vanish. Scripts without blanks between words (Chinese, Japanese, Thai,
// Khmer, Lao, Burmese) are cut into pairs of neighbouring characters; runs of
// katakana, which are words, stay whole.
type tokenizer struct {
	minLength int // letters and digits
	numbers   bool
	turkish   bool // lower case of Turkish: I is ı
	word      []byte
	length    int
	letters   bool
	emit      func([]byte)

	from, to int // where the word stands in the text
	at, next int // where the character at hand begins and ends
	last     int // where the last character of a pair begins

	before int // bytes at the start of word that are the character before, 0 outside such scripts
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
		t.at, t.next = i, i+size
		t.other(r)
		i += size
	}
	t.flush()
}

// ascii takes the run of plain letters and digits at i, which may be empty, and
// what ends it if that is plain too; it returns the place after.
func (t *tokenizer) ascii(text string, i int) int {
	if t.before > 0 {
		t.flush()
	}
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
	if at == 0 {
		t.from = start
	}
	if i > start {
		t.to = i
	}
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
	if unspaced(r) {
		t.pair(r)
		return
	}
	if t.before > 0 && !unicode.IsMark(r) {
		t.flush()
	}
	switch {
	case unicode.IsLetter(r):
		t.letters = true
		t.length++
		t.append(unicode.ToLower(r))
	case unicode.IsDigit(r):
		t.length++
		t.append(r)
	case unicode.IsMark(r) && len(t.word) > 0:
		t.append(r)
	case r == '\u00ad' || r == '\u200c' || r == '\u200d' || r == '\u2060':
	default:
		t.flush()
	}
}

// append adds the character at hand to the word.
func (t *tokenizer) append(r rune) {
	if len(t.word) == 0 {
		t.from = t.at
	}
	t.word, t.to = utf8.AppendRune(t.word, r), t.next
}

// unspaced reports letters of scripts without blanks between words.
func unspaced(r rune) bool {
	switch {
	case r < 0x0e00:
		return false
	case r < 0x3041:
		return unicode.In(r, unicode.Thai, unicode.Lao, unicode.Myanmar, unicode.Khmer) && unicode.IsLetter(r)
	case r <= 0x309f: // hiragana
		return unicode.IsLetter(r)
	}
	return r >= 0x3400 && unicode.Is(unicode.Han, r)
}

// pair adds a character of such a script: word holds the character before, and
// what comes with it is a pair. A character alone is a word of its own.
func (t *tokenizer) pair(r rune) {
	if t.before == 0 {
		t.flush()
	} else if t.length == 2 {
		t.emitPair()
	}
	at := len(t.word)
	t.append(r)
	t.last = t.at
	t.letters = true
	t.length++
	if t.length == 1 {
		t.before = 1
	} else {
		t.before = max(at, 1)
	}
}

// emitPair hands a pair over and keeps its second character as the first of the
// next.
func (t *tokenizer) emitPair() {
	if t.minLength <= 2 {
		t.emit(t.word)
	}
	t.word = append(t.word[:0], t.word[t.before:]...)
	t.from = t.last
	t.length, t.before = 1, 1
}

func (t *tokenizer) flush() {
	if t.length >= t.minLength && (t.letters || t.numbers) && len(t.word) > 0 {
		t.emit(t.word)
	}
	t.reset()
}

func (t *tokenizer) reset() { t.word, t.length, t.letters, t.before = t.word[:0], 0, false, 0 }
