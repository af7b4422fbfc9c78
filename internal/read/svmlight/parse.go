package svmlight

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// content tells what the values were.
type content struct {
	other              bool // than 1
	negative, fraction bool
}

func (c *content) merge(d content) {
	c.other = c.other || d.other
	c.negative = c.negative || d.negative
	c.fraction = c.fraction || d.fraction
}

func (c *content) add(v float64) {
	c.other = c.other || v != 1
	c.negative = c.negative || v < 0
	c.fraction = c.fraction || v != math.Trunc(v)
}

// part is what one chunk of lines gives.
type part struct {
	ptr        []int
	feature    []uint32
	value      []float64
	label, qid []string
	ids        []string // nil: records are numbered
	lines      int
	gaps       []int // records in front of which a line was left out
	repeated   int
	bad        []*record.ParseError
	more       int
	seen       content
}

// keepBad is the number of malformed lines of a chunk that are kept with text.
const keepBad = 20

// parse reads the lines of a chunk; remarks behind records are their ids where
// they are asked for.
func parse(name string, ids bool, c source.Chunk) *part {
	defer c.Release()
	p := &part{ptr: []int{0}}
	most := bytes.Count(c.Data, []byte{':'})
	p.feature, p.value = make([]uint32, 0, most), make([]float64, 0, most)
	number := c.Line
	for rest := c.Data; len(rest) > 0; number++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		content, remark, _ := bytes.Cut(line, []byte{'#'})
		content = bytes.TrimSpace(content)
		if len(content) == 0 {
			continue
		}
		p.lines++
		column, msg := p.line(content)
		if msg == "" && ids {
			p.ids = append(p.ids, cells.Unline(string(bytes.TrimSpace(remark))))
		}
		if msg != "" {
			p.gaps = append(p.gaps, len(p.ptr)-1)
			p.reject(&record.ParseError{
				File: name, Line: number, Column: column, Text: string(content[:min(len(content), 200)]), Msg: msg,
			})
		}
	}
	return p
}

// reject takes the entries of the unfinished line back.
func (p *part) reject(e *record.ParseError) {
	end := p.ptr[len(p.ptr)-1]
	p.feature, p.value = p.feature[:end], p.value[:end]
	if len(p.bad) == keepBad {
		p.more++
		return
	}
	p.bad = append(p.bad, e)
}

// line parses one record; it returns what is wrong, and in which column.
func (p *part) line(line []byte) (column int, msg string) {
	var label, qid []byte
	seen := p.seen
	rest := line
	if f, after := next(rest); bytes.IndexByte(f, ':') < 0 {
		label, rest = f, after
	}
	for len(rest) > 0 {
		if rest = p.plain(rest); len(rest) == 0 {
			break
		}
		var f []byte
		f, rest = next(rest)
		if len(f) == 0 {
			break
		}
		at := len(line) - len(rest) - len(f) + 1
		key, value, found := bytes.Cut(f, []byte{':'})
		if !found {
			return at, "expected feature:value"
		}
		if string(key) == "qid" {
			qid = value
			continue
		}
		if msg := p.entry(key, value); msg != "" {
			p.seen = seen
			return at, msg
		}
	}
	p.finish()
	p.label = append(p.label, string(label))
	p.qid = append(p.qid, string(qid))
	return 0, ""
}

// plain takes fields of two whole numbers of up to nine digits with one blank
// before them off a line, as long as there are, and returns the rest.
func (p *part) plain(rest []byte) []byte {
	for {
		at, n, v := 0, uint32(0), uint32(0)
		if at < len(rest) && rest[at] == ' ' {
			at++
		}
		from := at
		for ; at < len(rest) && rest[at]-'0' <= 9; at++ {
			n = 10*n + uint32(rest[at]-'0')
		}
		if at == from || at-from > 9 || at == len(rest) || rest[at] != ':' {
			return rest
		}
		at++
		from = at
		for ; at < len(rest) && rest[at]-'0' <= 9; at++ {
			v = 10*v + uint32(rest[at]-'0')
		}
		if at == from || at-from > 9 || v == 0 || at < len(rest) && rest[at] != ' ' {
			return rest
		}
		p.seen.other = p.seen.other || v != 1
		p.feature = append(p.feature, n)
		p.value = append(p.value, float64(v))
		if rest = rest[at:]; len(rest) == 0 {
			return rest
		}
	}
}

func (p *part) entry(key, value []byte) string {
	n, err := strconv.ParseInt(string(key), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return fmt.Sprintf("the feature must be a whole number from 0 to %d", math.MaxInt32)
	}
	v, err := strconv.ParseFloat(string(value), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return "the value must be a finite number"
	}
	if v == 0 {
		return ""
	}
	p.seen.add(v)
	p.feature = append(p.feature, uint32(n))
	p.value = append(p.value, v)
	return ""
}

// finish ends the record: features in rising order, those that come twice
// added up.
func (p *part) finish() {
	from := p.ptr[len(p.ptr)-1]
	f, v := p.feature[from:], p.value[from:]
	rising := true
	for i := 1; i < len(f); i++ {
		rising = rising && f[i] > f[i-1]
	}
	if !rising {
		order := make([]int, len(f))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return int(int64(f[a]) - int64(f[b])) })
		oldF, oldV := slices.Clone(f), slices.Clone(v)
		n := 0
		for _, i := range order {
			if n > 0 && f[n-1] == oldF[i] {
				v[n-1] += oldV[i]
				p.seen.add(v[n-1])
				p.repeated++
				continue
			}
			f[n], v[n] = oldF[i], oldV[i]
			n++
		}
		p.feature, p.value = p.feature[:from+n], p.value[:from+n]
	}
	p.ptr = append(p.ptr, len(p.feature))
}

// next takes a field off the line.
func next(b []byte) (field, rest []byte) {
	b = bytes.TrimLeft(b, " \t")
	n := bytes.IndexAny(b, " \t")
	if n < 0 {
		return b, nil
	}
	return b[:n], b[n:]
}
