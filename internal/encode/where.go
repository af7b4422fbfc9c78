package encode

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/moiety-go/moiety/record"
)

// Where is a condition on records:
//
//	age >= 18 and age < 100 and not (site = "north" or ward in (3, 4))
//	admitted >= 2010-01-01 and has code 428
//
// It compares side columns with numbers, dates (year-month-day) and texts; "is
// missing" and "is not missing" ask whether there is a value; "has code 428"
// asks for a code that begins so, "has word" for any other feature of that name.
// Texts are compared without regard to case. Names and texts with spaces stand
// in quotes. A comparison with a missing value is neither true nor false; a
// record whose condition is undecided is left out and counted.
type Where struct {
	text string
	root node
}

// ParseWhere reads a condition.
func ParseWhere(text string) (*Where, error) {
	if !utf8.ValidString(text) { // it would be kept as another one
		return nil, fmt.Errorf("encode: where: %q is not UTF-8, as names and values of records are: write it so", shortened(text))
	}
	p := &parser{text: text}
	if err := p.lex(); err != nil {
		return nil, err
	}
	root, err := p.or()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != endToken {
		return nil, p.fail(t, "expected and, or, or the end, found %q", t.text)
	}
	return &Where{text: text, root: root}, nil
}

func (w *Where) String() string { return w.text }

type tokenKind int

const (
	endToken tokenKind = iota
	wordToken
	quotedToken
	signToken // ( ) , and comparisons
)

type token struct {
	kind tokenKind
	text string
	at   int // byte in the text
}

// is reports a key word or sign.
func (t token) is(word string) bool {
	return t.kind == signToken && t.text == word || t.kind == wordToken && strings.EqualFold(t.text, word)
}

type parser struct {
	text   string
	tokens []token
	next   int
	depth  int // of brackets and nots
}

// longestShown is how much of a condition an error repeats.
const longestShown = 200

func shortened(text string) string {
	if len(text) <= longestShown {
		return text
	}
	return strings.ToValidUTF8(text[:longestShown], "") + "…"
}

// fail names the place, counted in characters from 1.
func (p *parser) fail(t token, format string, args ...any) error {
	at := len([]rune(p.text[:min(t.at, len(p.text))])) + 1
	return fmt.Errorf("encode: where: at character %d of %q: %s%s", at, shortened(p.text), fmt.Sprintf(format, args...), p.remedy())
}

// remedy says how a condition is written that other languages write differently.
func (p *parser) remedy() string {
	for _, t := range p.tokens {
		switch {
		case t.kind == quotedToken:
		case strings.Contains(t.text, "&"):
			return "; write and, as in age > 30 and sex = M"
		case strings.Contains(t.text, "|"):
			return "; write or, as in age < 3 or age > 90"
		case t.is("between"):
			return "; write age >= 30 and age <= 40"
		}
	}
	if len(p.tokens) > 0 && p.tokens[0].kind == wordToken && len(p.tokens) <= 2 {
		return "; put the whole condition in quotes, as in 'age > 30'"
	}
	return ""
}

// lacks is fail for a column that the data do not have.
func (p *parser) lacks(t token, format string, args ...any) error {
	return record.NoColumn("%w", p.fail(t, format, args...))
}

const signs = "()<>=!,"

func (p *parser) lex() error {
	for i := 0; i < len(p.text); {
		c := p.text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '"' || c == '\'':
			end := strings.IndexByte(p.text[i+1:], c)
			if end < 0 {
				return p.fail(token{at: i}, "a quote is not closed")
			}
			p.tokens = append(p.tokens, token{quotedToken, p.text[i+1 : i+1+end], i})
			i += end + 2
		case strings.IndexByte(signs, c) >= 0:
			n := 1
			if i+1 < len(p.text) && strings.Contains(" <= >= == != <> ", " "+p.text[i:i+2]+" ") {
				n = 2
			}
			p.tokens = append(p.tokens, token{signToken, p.text[i : i+n], i})
			i += n
		default:
			j := i
			for j < len(p.text) && !strings.ContainsRune(signs+" \t\r\n\"'", rune(p.text[j])) {
				j++
			}
			p.tokens = append(p.tokens, token{wordToken, p.text[i:j], i})
			i = j
		}
	}
	p.tokens = append(p.tokens, token{endToken, "the end", len(p.text)})
	return nil
}

func (p *parser) peek() token { return p.tokens[p.next] }

func (p *parser) take() token {
	t := p.tokens[p.next]
	if t.kind != endToken {
		p.next++
	}
	return t
}

func (p *parser) accept(word string) bool {
	if p.peek().is(word) {
		p.next++
		return true
	}
	return false
}

func (p *parser) or() (node, error) {
	parts, err := p.chain("or", p.and)
	if len(parts) == 1 {
		return parts[0], err
	}
	return orNode(parts), err
}

func (p *parser) and() (node, error) {
	parts, err := p.chain("and", p.not)
	if len(parts) == 1 {
		return parts[0], err
	}
	return andNode(parts), err
}

// chain reads parts joined by one word.
func (p *parser) chain(word string, part func() (node, error)) ([]node, error) {
	n, err := part()
	parts := []node{n}
	for err == nil && p.accept(word) {
		if n, err = part(); err == nil {
			parts = append(parts, n)
		}
	}
	return parts, err
}

// deepest is how many brackets and nots may stand inside each other: no person
// writes more, and each takes a piece of the stack.
const deepest = 200

func (p *parser) not() (node, error) {
	if p.depth++; p.depth > deepest {
		return nil, p.fail(p.peek(), "more than %d brackets or nots inside each other", deepest)
	}
	defer func() { p.depth-- }()
	switch {
	case p.accept("not"):
		n, err := p.not()
		return notNode{n}, err
	case p.accept("("):
		n, err := p.or()
		if err == nil && !p.accept(")") {
			err = p.fail(p.peek(), "expected ), found %q", p.peek().text)
		}
		return n, err
	case p.accept("has"):
		return p.has()
	}
	return p.comparison()
}

// has reads "has code X" or "has X".
func (p *parser) has() (node, error) {
	t := p.take()
	if t.is("code") && (p.peek().kind == wordToken || p.peek().kind == quotedToken) && !p.peek().is("and") && !p.peek().is("or") {
		t = p.take()
	}
	if t.kind != wordToken && t.kind != quotedToken {
		return nil, p.fail(t, "has needs a code, such as has code 428")
	}
	return &hasNode{name: t.text}, nil
}

func (p *parser) comparison() (node, error) {
	column := p.take()
	if column.kind != wordToken && column.kind != quotedToken {
		return nil, p.fail(column, "expected the name of a side column or has, found %q", column.text)
	}
	n := &compareNode{column: column.text, at: column}
	op := p.take()
	switch {
	case op.is("is"):
		n.op = "missing"
		if p.accept("not") {
			n.op = "given"
		}
		if !p.accept("missing") {
			return nil, p.fail(p.peek(), "expected missing, found %q", p.peek().text)
		}
		return n, nil
	case op.is("in"):
		return p.list(n)
	case op.kind == signToken && op.text != "(" && op.text != ")" && op.text != "," && op.text != "!":
		n.op = map[string]string{"==": "=", "<>": "!="}[op.text]
		if n.op == "" {
			n.op = op.text
		}
		v, err := p.value(n.op)
		n.values = []literal{v}
		return n, err
	}
	return nil, p.fail(op, "after %q expected = != < <= > >= in or is missing, found %q", column.text, op.text)
}

// list reads "(a, b, c)".
func (p *parser) list(n *compareNode) (node, error) {
	n.op = "="
	if !p.accept("(") {
		return nil, p.fail(p.peek(), "in needs a list, such as in (1, 2)")
	}
	for {
		v, err := p.value(n.op)
		if err != nil {
			return nil, err
		}
		n.values = append(n.values, v)
		if p.accept(")") {
			return n, nil
		}
		if !p.accept(",") {
			return nil, p.fail(p.peek(), "expected , or ) in the list, found %q", p.peek().text)
		}
	}
}

func (p *parser) value(op string) (literal, error) {
	t := p.take()
	if t.kind != wordToken && t.kind != quotedToken {
		return literal{}, p.fail(t, "expected a value, found %q", t.text)
	}
	v := newLiteral(t.text, t.kind == quotedToken)
	if v.kind == textValue && op != "=" && op != "!=" {
		return v, p.fail(t, "%s needs a number or a date such as 2010-01-31, not %q", op, t.text)
	}
	return v, nil
}
