package delimited

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// missing reports the usual marks of a missing value.
func missing(b []byte) bool {
	switch len(b) {
	case 0:
		return true
	case 1:
		return b[0] == '?' || b[0] == '.'
	case 2, 3, 4:
		switch string(b) {
		case "NA", "na", "N/A", "n/a", "NaN", "nan", "NAN", "NULL", "null", "Null", "#N/A", `\N`, "<NA>":
			return true
		}
	}
	return b[0] == '#' && sheetError(b)
}

// sheetError reports what spreadsheets write instead of a value, in any of their
// languages: #REF!, #WERT!, #¡DIV/0!, #NV, ####.
func sheetError(b []byte) bool {
	const longest = 16
	switch string(b) {
	case "#NV", "#N/D", "#ND":
		return true
	}
	last := b[len(b)-1]
	if len(b) < 3 || len(b) > longest || last != '!' && last != '?' && last != '#' {
		return false
	}
	return len(bytes.Trim(b, "#")) == 0 || last != '#' && bytes.Equal(bytes.ToUpper(b), b) && !bytes.Contains(b, []byte{' '})
}

// absent reports words that say in a column of numbers, or of yes and no, that
// there is none; elsewhere they may be answers.
func absent(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "none", "missing", "unknown", "n", "-", "--", "---", "n.a.", "nd", "n.d.", "not done", "pending":
		return true
	}
	return false
}

// number reads a number with the given decimal sign; ok is false when b is not
// one. Infinities are not numbers here.
func number(b []byte, decimal byte) (x float64, ok bool) {
	if x, ok = shortNumber(b, decimal); ok {
		return x, true
	}
	if len(b) == 0 || b[0] > '9' {
		return 0, false // no number begins with a letter
	}
	if decimal == ',' {
		b = bytes.Replace(b, []byte{','}, []byte{'.'}, 1)
	}
	if len(b) > 400 || signInside(b) || bytes.ContainsAny(b, "_xXpPiInN") {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(b), 64)
	return x, err == nil && !math.IsInf(x, 0)
}

// signInside reports a sign that is neither in front nor behind an e, as dates have.
func signInside(b []byte) bool {
	for i, c := range b {
		if i > 0 && (c == '-' || c == '+') && b[i-1]|0x20 != 'e' {
			return true
		}
	}
	return false
}

// anyNumber reads a number as laboratories and spreadsheets write it too: with
// a limit (<0.2 is read as 0.2), with a percent sign, with a sign between the
// thousands, as a sum of money, with a minus of print or behind. how tells which of these it is, 0 for a plain number.
func anyNumber(b []byte, decimal byte) (x float64, how uint16, ok bool) {
	if x, ok = number(b, decimal); ok {
		return x, 0, true
	}
	if len(b) < 2 || len(b) > 40 || wordLike(b) {
		return 0, 0, false
	}
	if rest, found := cutMinus(b); found {
		x, how, ok = anyNumber(rest, decimal)
		return 0 - x, how | isSigned, ok && x >= 0 && how&(isLimit|isSigned) == 0
	}
	if rest, found := cutLimit(b); found {
		if x, ok = number(rest, decimal); ok {
			return x, isLimit, true
		}
		return 0, 0, false
	}
	if amount, found := cutMoney(b); found {
		x, how, ok = anyNumber(amount, decimal)
		return x, how | isMoney, ok && how != isMoney
	}
	if b[0] == '(' && b[len(b)-1] == ')' { // as accountants write what is owed
		x, how, ok = anyNumber(b[1:len(b)-1], decimal)
		return -x, how | isMoney, ok && x > 0 && how&(isLimit|isPercent) == 0
	}
	if b[len(b)-1] == '%' {
		x, ok = number(bytes.TrimRight(b[:len(b)-1], " \u00a0"), decimal)
		return x, isPercent, ok
	}
	if joined, found := cutThousands(b, decimal); found {
		x, ok = number(joined, decimal)
		return x, isThousands, ok
	}
	return 0, 0, false
}

// wordLike reports a value that begins with a letter and not with that of a currency: no
// number in any of these forms.
func wordLike(b []byte) bool {
	return b[0]|0x20 >= 'a' && b[0]|0x20 <= 'z' && (len(b) < 5 || b[3] != ' ')
}

// cutMinus returns what follows a minus of print (−), or stands before one at the end
// (12.50-), as some programs write what is below 0.
func cutMinus(b []byte) ([]byte, bool) {
	if r, n := utf8.DecodeRune(b); (r == '−' || r == '–') && len(b) > n && b[n]-'0' <= 9 {
		return b[n:], true
	}
	if end := len(b) - 1; b[end] == '-' && b[0]-'0' <= 9 {
		return b[:end], true
	}
	return nil, false
}

// moneySigns are the signs of currencies that stand before or behind an amount.
const moneySigns = "$€£¥₹₽₩₺₪₫₴₱฿"

// currency reports the letters of a currency before an amount; behind it they are a
// unit.
func currency(word string) bool {
	switch word {
	case "USD", "EUR", "GBP", "CHF", "JPY", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "INR", "BRL", "MXN":
		return true
	}
	return false
}

// cutMoney returns the amount of a sum of money, with its sign before.
func cutMoney(b []byte) ([]byte, bool) {
	neg := b[0] == '-'
	if neg {
		b = b[1:]
	}
	amount := b
	if r, n := utf8.DecodeRune(b); strings.ContainsRune(moneySigns, r) {
		amount = b[n:]
	} else if r, n := utf8.DecodeLastRune(b); strings.ContainsRune(moneySigns, r) {
		amount = b[:len(b)-n]
	}
	if len(amount) == len(b) && len(b) > 4 && b[3] == ' ' && currency(string(b[:3])) {
		amount = b[4:]
	}
	if len(amount) == len(b) {
		return nil, false
	}
	if amount = bytes.Trim(amount, " \u00a0\u202f"); len(amount) == 0 {
		return nil, false
	}
	if neg {
		return append([]byte{'-'}, amount...), amount[0] != '-'
	}
	return amount, true
}

// cutLimit returns what follows <, >, <=, ≤ and the like.
func cutLimit(b []byte) ([]byte, bool) {
	r, n := utf8.DecodeRune(b)
	switch r {
	case '<', '>':
		if n < len(b) && b[n] == '=' {
			n++
		}
	case '≤', '≥':
	default:
		return nil, false
	}
	return bytes.TrimLeft(b[n:], " "), true
}

// thousandSigns makes blanks of what stands between groups of digits beside point and
// comma.
var thousandSigns = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "'", " ", "’", " ")

// cutThousands joins the groups of three digits of a number such as 15.041,84,
// 1,234 or 1 234 567.
func cutThousands(b []byte, decimal byte) ([]byte, bool) {
	whole, rest := b, []byte(nil)
	if i := bytes.IndexByte(b, decimal); i >= 0 {
		whole, rest = b[:i], b[i:]
	}
	parts := byte('.' + ',' - decimal)
	if !slices.ContainsFunc(whole, func(c byte) bool { return c == ' ' || c == '\'' || c == parts || c >= utf8.RuneSelf }) {
		return nil, false // one group of digits at most
	}
	other := string(parts)
	text := thousandSigns.Replace(string(whole))
	sep := " "
	if strings.Contains(text, other) {
		sep = other
	}
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	groups := strings.Split(text, sep)
	if len(groups) < 2 || len(groups[0]) == 0 || len(groups[0]) > 3 {
		return nil, false
	}
	for i, g := range groups {
		if i > 0 && len(g) != 3 || strings.Trim(g, "0123456789") != "" {
			return nil, false
		}
	}
	return append([]byte(sign+strings.Join(groups, "")), rest...), true
}

// powers of ten that a float64 holds exactly.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// shortNumber reads up to 15 digits with at most one decimal sign: the
// quotient of two exact floats is rounded once, hence correctly.
func shortNumber(b []byte, decimal byte) (float64, bool) {
	neg := len(b) > 0 && b[0] == '-'
	if neg {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 16 {
		return 0, false
	}
	var m uint64
	digits, point := 0, -1
	for _, c := range b {
		switch {
		case c-'0' <= 9:
			m = m*10 + uint64(c-'0')
			digits++
		case c == decimal && point < 0:
			point = digits
		default:
			return 0, false
		}
	}
	if digits == 0 || digits > 15 {
		return 0, false
	}
	x := float64(m)
	if point >= 0 {
		x /= powers[digits-point]
	}
	if neg {
		x = -x
	}
	return x, true
}

// Pairs of words that mean yes and no, as bits. A column is yes or no when all
// its values belong to one pair: f and y are letters, not an answer.
const (
	pairDigits uint8 = 1 << iota
	pairYes          // yes, no; y, n
	pairTrue         // true, false; t, f; as spreadsheets of other languages write them
	pairSi           // sí, no; sì, no; s, n
	pairJa           // ja, nein; ja, nee; ja, nej; j, n
	pairOui          // oui, non; o, n
	pairSim          // sim, não; s, n
	pairDa           // да, нет and those of languages that share no word with others

	allPairs = 1<<8 - 1
)

// binaryValue reads 0/1, true/false, yes/no and their short forms; pairs is 0
// where b is none of them.
func binaryValue(b []byte) (one bool, pairs uint8) {
	switch len(b) {
	case 0:
		return false, 0
	case 1:
		switch b[0] {
		case '1':
			return true, pairDigits
		case '0':
			return false, pairDigits
		case 'y', 'Y':
			return true, pairYes
		case 'n', 'N':
			return false, pairYes | pairSi | pairJa | pairOui | pairSim
		case 't', 'T':
			return true, pairTrue
		case 'f', 'F':
			return false, pairTrue
		case 's', 'S':
			return true, pairSi | pairSim
		case 'j', 'J':
			return true, pairJa
		case 'o', 'O':
			return true, pairOui
		}
		return false, 0
	}
	if len(b) > 12 {
		if len(b) <= 32 && b[2] == '0' && b[3] == '0' { // 1.000000000000000000e+00
			one, pairs, _ := zeroOrOne(b)
			return one, pairs
		}
		return false, 0
	}
	if one, pairs, ok := zeroOrOne(b); ok {
		return one, pairs
	}
	return pairOf(strings.ToLower(string(b)))
}

// zeroOrOne reads 0 and 1 as programs write them: 1.0, 0.000000e+00.
func zeroOrOne(b []byte) (one bool, pairs uint8, ok bool) {
	if b[0] != '0' && b[0] != '1' || b[1] != '.' && b[1] != ',' {
		return false, 0, false
	}
	x, err := strconv.ParseFloat(strings.Replace(string(b), ",", ".", 1), 64)
	if err != nil || x != 0 && x != 1 {
		return false, 0, false
	}
	return x == 1, pairDigits, true
}

// pairOf reads the long words.
func pairOf(word string) (one bool, pairs uint8) {
	switch word {
	case "yes":
		return true, pairYes
	case "no":
		return false, pairYes | pairSi
	case "true", "wahr", "vrai", "vero", "verdadero", "verdadeiro", "waar", "sant", "prawda":
		return true, pairTrue
	case "false", "falsch", "faux", "falso", "onwaar", "falskt", "fałsz":
		return false, pairTrue
	case "si", "sí", "sì":
		return true, pairSi
	case "ja":
		return true, pairJa
	case "nein", "nee", "nej", "nei":
		return false, pairJa
	case "oui":
		return true, pairOui
	case "non":
		return false, pairOui
	case "sim":
		return true, pairSim
	case "não", "nao":
		return false, pairSim
	case "да", "tak", "ano", "igen", "kyllä", "はい", "是", "evet", "ναι", "так", "checked", "☑":
		return true, pairDa
	case "нет", "nie", "ne", "nem", "ei", "いいえ", "否", "hayır", "hayir", "όχι", "ні", "unchecked", "☐":
		return false, pairDa
	}
	return false, 0
}

// count reads a whole number >= 0 that a float64 holds exactly.
func count(b []byte, decimal byte) (float64, bool) {
	x, how, ok := anyNumber(b, decimal)
	return x, ok && how != isLimit && x >= 0 && x <= 1<<53 && x == math.Trunc(x)
}
