package uci

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/triplets"
	"github.com/moiety-go/moiety/record"
)

// part is what one chunk of lines gives.
type part struct {
	block triplets.Block
	lines int // lines that are not blank
	bad   []*record.ParseError
	more  int                // further malformed lines, only counted
	last  int                // number of the last line
	zero  *record.ParseError // a 0 where the file counts from 1
}

// keepBad is the number of malformed lines of a chunk that are kept with text.
const keepBad = 20

// parser parses the lines of one chunk.
type parser struct {
	name string
	head header
	base base
	out  part
	line int // number of the first line
	*triplets.Lines
}

// parse turns a chunk into entries. all is memory for those of all lines of the file, or of
// the first of them.
func parse(name string, head header, from base, all room, c source.Chunk) part {
	defer c.Release()
	own := all.behind(c.Line)
	p := parser{name: name, head: head, base: from, line: headerLines + c.Line}
	p.Lines = &triplets.Lines{Records: head.docs, Features: head.words, Other: p.other, Feature: own.feature, Small: own.small}
	if from.first == 0 {
		p.Lines.Records = 0 // it knows numbers from 1 only: all lines are others
	}
	p.out.last = p.line + p.Scan(c.Data, c.Ends) - 1
	p.out.lines += p.Taken
	p.out.block = p.Block
	return p.out
}

// other parses a line of any form and reports it when it is malformed.
func (p *parser) other(line []byte, number int) {
	fields := bytes.Fields(line)
	if len(fields) == 0 {
		return
	}
	p.out.lines++
	doc, word, count, msg := p.check(fields)
	if msg != "" && p.out.zero == nil && p.base.first == 1 && len(fields) == 3 && (string(fields[0]) == "0" || string(fields[1]) == "0") {
		p.out.zero = &record.ParseError{
			File: p.name, Line: p.line + number, Text: string(bytes.TrimSpace(line[:min(len(line), 200)])),
			Msg: "a 0 in a file that begins as if it counted from 1; if it counts from 0, put this line first below the three numbers",
		}
	}
	switch {
	case msg == "":
		p.Add(doc, word, float64(count))
	case len(p.out.bad) == keepBad:
		p.out.more++
	default:
		p.out.bad = append(p.out.bad, &record.ParseError{
			File: p.name, Line: p.line + number, Text: string(bytes.TrimSpace(line[:min(len(line), 200)])), Msg: msg,
		})
	}
}

// check returns the three numbers, document and word from 0, or what is wrong
// with them.
func (p *parser) check(fields [][]byte) (doc, word, count uint32, msg string) {
	if len(fields) != 3 {
		return 0, 0, 0, fmt.Sprintf("expected three numbers (document, word, count), found %d fields", len(fields))
	}
	var n [3]uint32
	for i, limit := range []int{p.head.docs, p.head.words, math.MaxInt32} {
		what := [...]string{"document", "word", "count"}[i]
		first := p.base.first
		if i == 2 {
			first = 1
		}
		last := limit - 1 + first
		v, err := strconv.ParseInt(string(fields[i]), 10, 64)
		if err != nil {
			return 0, 0, 0, fmt.Sprintf("the %s is not a whole number", what)
		}
		if v < int64(first) || v > int64(last) {
			return 0, 0, 0, fmt.Sprintf("the %s must be from %d to %d", what, first, last)
		}
		n[i] = uint32(v) - uint32(first)
	}
	return n[0], n[1], n[2] + 1, ""
}
