package source

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	utf "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"
)

// Encoding finds an encoding of text by a name that people use for it: "gbk",
// "latin1", "windows-1250", "cp1250", "shift-jis".
func Encoding(name string) (encoding.Encoding, error) {
	low := strings.ToLower(strings.TrimSpace(name))
	switch strings.NewReplacer("-", "", "_", "", " ", "").Replace(low) {
	case "cp437", "ibm437":
		return charmap.CodePage437, nil
	case "cp850", "ibm850":
		return charmap.CodePage850, nil
	case "utf32", "utf32le":
		return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), nil
	case "utf32be":
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM), nil
	case "sjis":
		low = "shift_jis"
	}
	for _, try := range []string{low, strings.ReplaceAll(low, "_", "-"), strings.ReplaceAll(low, "-", "_"), strings.Replace(low, "cp", "windows-", 1)} {
		if e, err := htmlindex.Get(try); err == nil {
			return e, nil
		}
	}
	return nil, fmt.Errorf("unknown encoding %q; known are utf-8, utf-16, windows-1250 to windows-1258, iso-8859-1 to -16, koi8-r, cp437, cp850, macintosh, shift_jis, euc-jp, gbk, big5, euc-kr and their like", name)
}

// script is a way of writing: its letters beyond ASCII, and an encoding that
// files of it come in.
type script struct {
	name     string
	enc      encoding.Encoding
	latin    bool                 // its letters stand between plain ones
	letters  string               // all that the script has
	frequent string               // of other alphabets: those that make up most of a text
	share    func([]rune) float64 // of large scripts: how much looks like it
}

// Letters of the languages that share an encoding. Capitals count as well
// where the language has them.
const (
	frenchLetters     = "éèàùâêîôûçëïœ"
	germanLetters     = "äöüß"
	spanishLetters    = "áéíóúñü¿¡"
	portugueseLetters = "áâãàçéêíóôõúü"
	italianLetters    = "àèéìòù"
	nordicLetters     = "åäöæøé"
	icelandicLetters  = "áéíóúýþæöð"
	polishLetters     = "ąćęłńóśźż"
	czechLetters      = "áčďéěíňóřšťúůýžľĺŕäô"
	hungarianLetters  = "áéíóöőúüű"
	romanianLetters   = "ăâîşţ"
	croatianLetters   = "čćđšž"
	turkishLetters    = "çğıöşüâîû"
	russianLetters    = "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ"
	greekLetters      = "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ"
	hebrewLetters     = "אבגדהוזחטיךכלםמןנסעףפץצקרשת"
	arabicLetters     = "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ،؟"
	// Letters that make up more than half of a text.
	russianMost = "оеаинтсрвл"
	greekMost   = "αοιετσνηυρς"
	hebrewMost  = "יוהלאמרתבנש"
	arabicMost  = "اليمونتربهد"
	thaiMost    = "านรอกเงมยล่"
	// Marks that texts of all these languages hold.
	commonMarks = "–—‘’“”„«»…·°§€£ ªº"
)

// scripts are tried in this order; the first of equally good ones is taken.
func scripts() []script {
	var list []script
	latin := func(name string, enc encoding.Encoding, letters ...string) {
		for _, l := range letters {
			list = append(list, script{name: name, enc: enc, latin: true, letters: l})
		}
	}
	western := []string{frenchLetters, germanLetters, spanishLetters, portugueseLetters, italianLetters, nordicLetters, icelandicLetters}
	latin("Windows-1252", charmap.Windows1252, western...)
	latin("Windows-1250", charmap.Windows1250, polishLetters, czechLetters, hungarianLetters, romanianLetters, croatianLetters)
	latin("Windows-1254", charmap.Windows1254, turkishLetters)
	latin("CP850", charmap.CodePage850, western...)
	latin("Mac Roman", charmap.Macintosh, western...)
	return append(list,
		script{name: "Windows-1251", enc: charmap.Windows1251, letters: russianLetters, frequent: russianMost},
		script{name: "KOI8-R", enc: charmap.KOI8R, letters: russianLetters, frequent: russianMost},
		script{name: "CP866", enc: charmap.CodePage866, letters: russianLetters, frequent: russianMost},
		script{name: "Mac Cyrillic", enc: charmap.MacintoshCyrillic, letters: russianLetters, frequent: russianMost},
		script{name: "Windows-1253", enc: charmap.Windows1253, letters: greekLetters, frequent: greekMost},
		script{name: "Windows-1255", enc: charmap.Windows1255, letters: hebrewLetters, frequent: hebrewMost},
		script{name: "Windows-1256", enc: charmap.Windows1256, letters: arabicLetters, frequent: arabicMost},
		script{name: "Windows-874", enc: charmap.Windows874, share: thaiShare},
		script{name: "Shift-JIS", enc: japanese.ShiftJIS, share: japaneseShare},
		script{name: "EUC-JP", enc: japanese.EUCJP, share: japaneseShare},
		script{name: "EUC-KR", enc: korean.EUCKR, share: hangulShare},
		script{name: "GB18030", enc: simplifiedchinese.GB18030, share: chineseShare(simplified)},
		script{name: "Big5", enc: traditionalchinese.Big5, share: chineseShare(traditional)},
	)
}

// The most frequent characters of Chinese in both ways of writing: together
// some two fifths of a text.
const (
	simplified  = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实"
	traditional = "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實"
)

// usually scales the share of frequent letters: half of a text is enough.
func usually(frequent, all int) float64 { return 0.5 + min(0.5, float64(frequent)/float64(all)) }

func thaiShare(r []rune) float64 {
	thai, most := 0, 0
	for _, c := range r {
		if unicode.Is(unicode.Thai, c) {
			thai++
		}
		if strings.ContainsRune(thaiMost, c) {
			most++
		}
	}
	return float64(thai) / float64(len(r)) * usually(most, len(r))
}

func hangulShare(r []rune) float64 {
	n := 0
	for _, c := range r {
		if unicode.Is(unicode.Hangul, c) {
			n++
		}
	}
	return float64(n) / float64(len(r))
}

// japaneseShare asks for kana among the characters.
func japaneseShare(r []rune) float64 {
	kana, han := 0, 0
	for _, c := range r {
		switch {
		case c >= 0x3041 && c <= 0x30ff, c == '、', c == '。':
			kana++
		case unicode.Is(unicode.Han, c):
			han++
		}
	}
	if 5*kana < len(r) {
		return 0
	}
	return float64(kana+han) / float64(len(r))
}

func chineseShare(frequent string) func([]rune) float64 {
	return func(r []rune) float64 {
		const usual = 0.35 // of the characters of a text are among the frequent ones
		n := 0
		for _, c := range r {
			if strings.ContainsRune(frequent, c) {
				n++
			}
		}
		return min(1, float64(n)/usual/float64(len(r)))
	}
}

// Bounds of the guess.
const (
	guessBytes = 16 << 10
	enoughFit  = 0.7
	fewHigh    = 6
	rareHigh   = 100 // fewer than one byte in so many
)

// guess finds the encoding of a text that is not UTF-8 from its first bytes
// beyond ASCII. Windows-1252 is what such files mostly are, and the answer
// where nothing fits. Latin letters stand alone between plain ones, those of
// other scripts side by side.
func guess(sample []byte) (string, encoding.Encoding) {
	runs, high := 0, 0
	for i, c := range sample {
		if c >= utf8.RuneSelf {
			high++
			if i == 0 || sample[i-1] < utf8.RuneSelf {
				runs++
			}
		}
	}
	if high < fewHigh || high*rareHigh < len(sample) {
		return "Windows-1252", charmap.Windows1252 // a few quotes or dashes tell no script
	}
	latin := 2*high < 3*runs
	name, enc, best := "Windows-1252", encoding.Encoding(charmap.Windows1252), enoughFit
	for _, s := range scripts() {
		if s.latin != latin {
			continue
		}
		if fit := s.fit(sample); fit > best {
			name, enc, best = s.name, s.enc, fit
		}
	}
	return name, enc
}

// fit is the share of the characters beyond ASCII that the script has.
func (s script) fit(sample []byte) float64 {
	text, err := s.enc.NewDecoder().Bytes(sample)
	if err != nil {
		return 0
	}
	var high []rune
	bad := 0
	for _, r := range string(text) {
		switch {
		case r == utf8.RuneError:
			bad++
		case r >= utf8.RuneSelf:
			high = append(high, r)
		}
	}
	if len(high) == 0 || bad > 1+len(high)/100 {
		return 0
	}
	if s.share != nil {
		return s.share(high)
	}
	n, most := 0, 0
	for _, r := range high {
		capital := unicode.IsUpper(r)
		if strings.ContainsRune(s.letters, unicode.ToLower(r)) && (s.latin || !capital) || strings.ContainsRune(commonMarks, r) {
			n++
		}
		if strings.ContainsRune(s.frequent, r) {
			most++
		}
	}
	fit := float64(n) / float64(len(high))
	if s.frequent != "" {
		fit *= usually(most, len(high))
	}
	return fit
}

// firstHigh is the place of the first byte beyond ASCII.
func firstHigh(b []byte) int {
	for i, c := range b {
		if c >= utf8.RuneSelf {
			return i
		}
	}
	return len(b)
}

// isForeign reports a text whose bytes are UTF-8 here and there by chance only:
// the bytes that do not fit are many.
func isForeign(b []byte) bool {
	fits, foreign := 0, 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1 && utf8.FullRune(b):
			foreign++
		case r >= utf8.RuneSelf:
			fits++
		}
		b = b[size:]
	}
	return foreign > fits && foreign >= 3
}

// bare finds UTF-16 and UTF-32 without a mark: texts of mostly plain letters
// have a NUL in every other byte, or in three of four.
func bare(start []byte) (string, encoding.Encoding) {
	if len(start) < 8 {
		return "", nil
	}
	var nul [4]int
	for i, c := range start[:len(start)&^3] {
		if c == 0 {
			nul[i%4]++
		}
	}
	quarter := len(start) / 4
	many := func(n int) bool { return n*10 >= quarter*7 }
	few := func(n int) bool { return n*10 <= quarter }
	switch {
	case few(nul[0]) && many(nul[1]) && many(nul[2]) && many(nul[3]):
		return "UTF-32", utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)
	case many(nul[0]) && many(nul[1]) && many(nul[2]) && few(nul[3]):
		return "UTF-32", utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	case few(nul[0]) && many(nul[1]) && few(nul[2]) && many(nul[3]):
		return "UTF-16", utf.UTF16(utf.LittleEndian, utf.UseBOM)
	case many(nul[0]) && few(nul[1]) && many(nul[2]) && few(nul[3]):
		return "UTF-16", utf.UTF16(utf.BigEndian, utf.UseBOM)
	}
	return "", nil
}

// through reads the rest of a decoder's bytes by an encoding.
func (d *decoder) through(name string, enc encoding.Encoding, before []byte) {
	rest := d.r
	d.r = struct {
		io.Reader
		io.Closer
	}{transform.NewReader(io.MultiReader(bytes.NewReader(before), rest), enc.NewDecoder()), rest}
	d.enc, d.wide, d.read, d.mark = asUTF8, true, name, 0
}

// foreignFrom is called at the first byte that is not UTF-8 in a text that was
// ASCII up to there: what follows is read in the encoding that it looks like.
func (d *decoder) foreignFrom(b []byte) {
	sample := bytes.Clone(b)
	for len(sample) < guessBytes && d.err == nil {
		more := make([]byte, guessBytes-len(sample))
		n, err := d.r.Read(more)
		sample = append(sample, more[:n]...)
		d.err = err
	}
	name, enc := guess(sample[:min(len(sample), guessBytes)])
	if d.err == nil || d.err == io.EOF {
		d.err, d.ended = nil, false
	} else {
		failed := d.err
		d.err = nil
		d.r = struct {
			io.Reader
			io.Closer
		}{failing{failed}, d.r}
	}
	d.through(name, enc, sample)
}
