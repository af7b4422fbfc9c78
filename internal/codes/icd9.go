package codes

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed icd9cm.txt.gz
var icd9Packed []byte

// Edition names the source of the built-in ICD-9-CM table.
const Edition = "ICD-9-CM version 32, fiscal year 2015 (CMS, CDC/NCHS); CCS single level 2015 (AHRQ HCUP)"

// table is the ICD-9-CM table in memory; it is never changed once unpacked.
type table struct {
	category   map[string]string // "428" -> title
	code       map[string]int    // every code -> CCS group, 0 for none
	groupTitle map[string]string // "ccs:108" -> title
}

// icd9 unpacks the built-in table at its first use.
var icd9 = sync.OnceValue(func() *table {
	t, err := unpack(icd9Packed)
	if err != nil {
		panic("codes: the built-in ICD-9-CM table is damaged: " + err.Error()) // a broken build, never data
	}
	return t
})

func unpack(packed []byte) (*table, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	t := &table{category: map[string]string{}, code: map[string]int{}, groupTitle: map[string]string{}}
	section, last, group := "", "", 0
	s := bufio.NewScanner(z)
	for s.Scan() {
		line := s.Text()
		switch {
		case strings.HasPrefix(line, "#"):
			continue
		case strings.HasPrefix(line, "["):
			section = line
			continue
		}
		first, rest, _ := strings.Cut(line, " ")
		switch section {
		case "[categories]":
			t.category[first] = rest
		case "[ccs]":
			t.groupTitle["ccs:"+first] = rest
		case "[codes]":
			if last, group, err = t.addCode(first, rest, last, group); err != nil {
				return nil, err
			}
		}
	}
	return t, s.Err()
}

// addCode reads one front-coded line: a digit of shared length, the rest, and
// the group where it changes.
func (t *table) addCode(first, rest, last string, group int) (string, int, error) {
	shared := int(first[0] - '0')
	if shared > len(last) {
		return "", 0, fmt.Errorf("code line %q after %q", first, last)
	}
	code := last[:shared] + first[1:]
	switch rest {
	case "":
	case "-":
		group = 0
	default:
		var err error
		if group, err = strconv.Atoi(rest); err != nil {
			return "", 0, err
		}
	}
	t.code[code] = group
	return code, group, nil
}

// group returns the CCS group of a code. A code that is not final has the group
// of its final codes where they all agree.
func (t *table) group(key string) (int, bool) {
	if g := t.code[key]; g > 0 {
		return g, true
	}
	if _, ok := t.code[key]; !ok {
		return 0, false
	}
	g := 0
	for _, child := range t.children(key) {
		c := t.code[child]
		if c == 0 {
			continue
		}
		if g != 0 && c != g {
			return 0, false
		}
		g = c
	}
	return g, g > 0
}

// children lists the known codes below key: up to two characters longer.
func (t *table) children(key string) []string {
	const digits = "0123456789"
	var out []string
	for _, a := range digits {
		one := key + string(a)
		if _, ok := t.code[one]; ok {
			out = append(out, one)
		}
		for _, b := range digits {
			two := one + string(b)
			if _, ok := t.code[two]; ok {
				out = append(out, two)
			}
		}
	}
	return out
}
