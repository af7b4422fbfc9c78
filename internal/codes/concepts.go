package codes

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// longestConcept bounds a line of a table of concepts.
const longestConcept = 1 << 20

// ReadConcepts reads the names of OMOP concepts from the table CONCEPT, by id: those
// that are wanted, as the table holds millions. It is written with tabs and without
// quotes, as vocabularies are handed out, or with commas.
func ReadConcepts(r io.Reader, wanted func(id string) bool) (map[string]string, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestConcept)
	if !lines.Scan() {
		return nil, errors.New("codes: concepts: the table is empty")
	}
	sep, at, ok := conceptColumns(lines.Text())
	if !ok {
		return nil, errors.New("codes: concepts: the first line must name the columns concept_id and concept_name")
	}
	titles := map[string]string{}
	for n := 2; lines.Scan(); n++ {
		row, err := parted(lines.Text(), sep)
		if err != nil {
			return nil, fmt.Errorf("codes: concepts: line %d: %w", n, err)
		}
		if len(row) <= max(at[0], at[1]) {
			continue
		}
		if id, name := strings.TrimSpace(row[at[0]]), strings.TrimSpace(row[at[1]]); name != "" && wanted(id) {
			titles[id] = name
		}
	}
	return titles, lines.Err()
}

// conceptColumns finds the columns of ids and names in a header.
func conceptColumns(line string) (sep rune, at [2]int, ok bool) {
	sep = ','
	if strings.Contains(line, "\t") {
		sep = '\t'
	}
	row, err := parted(strings.ToLower(strings.TrimPrefix(strings.TrimSpace(line), "\ufeff")), sep)
	at = [2]int{slices.Index(row, "concept_id"), slices.Index(row, "concept_name")}
	return sep, at, err == nil && at[0] >= 0 && at[1] >= 0
}

// parted cuts a line at its separators; only commas know quotes.
func parted(line string, sep rune) ([]string, error) {
	if sep == '\t' {
		return strings.Split(line, "\t"), nil
	}
	c := csv.NewReader(strings.NewReader(line))
	c.LazyQuotes = true
	row, err := c.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	return row, err
}
