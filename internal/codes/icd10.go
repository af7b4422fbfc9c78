package codes

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed icd10cm.txt.gz
var icd10Packed []byte

// Edition10 names the source of the built-in ICD-10-CM table.
const Edition10 = "ICD-10-CM categories, fiscal year 2026 (CDC/NCHS, CMS); CCS single level for ICD-10-CM 2019.1 (AHRQ HCUP)"

// table10 is the ICD-10-CM table in memory; it is never changed once unpacked.
type table10 struct {
	category map[string]string // "J44" -> title
	begin    map[string]int    // beginning of codes -> CCS group
}

// icd10 unpacks the built-in table at its first use.
var icd10 = sync.OnceValue(func() *table10 {
	t, err := unpack10(icd10Packed)
	if err != nil {
		panic("codes: the built-in ICD-10-CM table is damaged: " + err.Error()) // a broken build, never data
	}
	return t
})

func unpack10(packed []byte) (*table10, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	t := &table10{category: map[string]string{}, begin: map[string]int{}}
	section := ""
	s := bufio.NewScanner(z)
	for s.Scan() {
		line := s.Text()
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			section = line
		case section == "[categories]":
			t.category[first] = rest
		default:
			if t.begin[first], err = strconv.Atoi(rest); err != nil {
				return nil, err
			}
		}
	}
	return t, s.Err()
}

// group returns the CCS group of a code: that of its longest beginning in the
// table. A category whose codes are in several groups has none.
func (t *table10) group(key string) (int, bool) {
	for n := len(key); n >= 3; n-- {
		if g := t.begin[key[:n]]; g > 0 {
			return g, true
		}
	}
	return 0, false
}
