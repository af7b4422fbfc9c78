package uci

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/moiety-go/moiety/read/source"
	"github.com/moiety-go/moiety/read/triplets"
	"github.com/moiety-go/moiety/record"
)

// part is what one chunk of lines gives.
type part struct {
	block triplets.Block
	lines int // lines that are not blank
	bad   []*record.ParseError
	more  int // further malformed lines, only counted
	last  int // number of the last line
}

// keepBad is the number of malformed lines of a chunk that are kept with text.
const keepBad = 20

// parser parses the lines of one chunk; data ends with a line feed, so that
// the loops over digits need no other end.
type parser struct {
	name string
	head header
	data []byte
	out  part
	n    int    // entries so far
	doc  uint32 // of the current run, 0 at first
	word uint32 // of the last entry
}

// parse turns a chunk into entries.
func parse(name string, head header, c source.Chunk) part {
	defer c.Release()
	data := c.Data
	if data[len(data)-1] != '\n' {
		data = append(data, '\n')
	}
	most := bytes.Count(data, []byte{'\n'})
	p := parser{name: name, head: head, data: data}
	p.out.block = triplets.Block{
		Feature: make([]uint32, most), Value: make([]float64, most), Ascending: true,
	}
	line := headerLines + c.Line
	p.out.last = line + most - 1
	for at := 0; at < len(data); line++ {
		at = p.line(at, line)
	}
	p.out.block.Feature = p.out.block.Feature[:p.n]
	p.out.block.Value = p.out.block.Value[:p.n]
	return p.out
}

// line parses the line at the given place and returns where the next starts.
// The common form, three short numbers with one space between, is read here;
// everything else goes through slow.
func (p *parser) line(start, number int) int {
	b := p.data
	at := start
	var doc, word, count uint32
	for c := b[at] - '0'; c <= 9; c = b[at] - '0' {
		doc = doc*10 + uint32(c)
		at++
	}
	end := at
	if b[at] == ' ' {
		at++
		for c := b[at] - '0'; c <= 9; c = b[at] - '0' {
			word = word*10 + uint32(c)
			at++
		}
		if b[at] == ' ' {
			at++
			for c := b[at] - '0'; c <= 9; c = b[at] - '0' {
				count = count*10 + uint32(c)
				at++
			}
			// Nine digits fit into 32 bits; a longer line is left to slow.
			if b[at] == '\n' && end-start <= 9 && at-end <= 11 &&
				doc-1 < uint32(p.head.docs) && word-1 < uint32(p.head.words) && count-1 < math.MaxInt32 {
				p.add(doc, word, count)
				return at + 1
			}
		}
	}
	return p.slow(start, number)
}

// add appends an entry.
func (p *parser) add(doc, word, count uint32) {
	out := &p.out.block
	if doc != p.doc {
		out.Runs = append(out.Runs, triplets.Run{Record: doc - 1, Start: p.n})
		p.doc = doc
	} else if word <= p.word {
		out.Ascending = false
	}
	p.word = word
	out.Feature[p.n] = word - 1
	out.Value[p.n] = float64(count)
	p.n++
	p.out.lines++
}

// slow parses a line of any form and reports it when it is malformed.
func (p *parser) slow(start, number int) int {
	next := start + bytes.IndexByte(p.data[start:], '\n') + 1
	fields := bytes.Fields(p.data[start : next-1])
	if len(fields) == 0 {
		return next
	}
	doc, word, count, msg := p.check(fields)
	if msg == "" {
		p.add(doc, word, count)
		return next
	}
	p.out.lines++
	if len(p.out.bad) == keepBad {
		p.out.more++
		return next
	}
	p.out.bad = append(p.out.bad, &record.ParseError{
		File: p.name, Line: number, Text: string(bytes.TrimSpace(p.data[start:min(next-1, start+200)])), Msg: msg,
	})
	return next
}

// check returns the three numbers, or what is wrong with them.
func (p *parser) check(fields [][]byte) (doc, word, count uint32, msg string) {
	if len(fields) != 3 {
		return 0, 0, 0, fmt.Sprintf("expected three numbers (document, word, count), found %d fields", len(fields))
	}
	var n [3]uint32
	for i, limit := range []int{p.head.docs, p.head.words, math.MaxInt32} {
		what := [...]string{"document", "word", "count"}[i]
		v, err := strconv.ParseInt(string(fields[i]), 10, 64)
		if err != nil {
			return 0, 0, 0, fmt.Sprintf("the %s is not a whole number", what)
		}
		if v < 1 || v > int64(limit) {
			return 0, 0, 0, fmt.Sprintf("the %s must be from 1 to %d", what, limit)
		}
		n[i] = uint32(v)
	}
	return n[0], n[1], n[2], ""
}
