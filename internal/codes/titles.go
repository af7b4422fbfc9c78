package codes

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// ReadTitles reads titles from a CSV file with the columns code and title, in
// that order; a header line is recognised by its first field. Keys are
// normalised codes. The table CONCEPT of OMOP is taken too.
func ReadTitles(r io.Reader) (map[string]string, error) {
	b := bufio.NewReader(r)
	head, _ := b.Peek(2048) // an error of reading comes again below
	line, _, _ := strings.Cut(string(head), "\n")
	if _, _, ok := conceptColumns(line); ok {
		return ReadConcepts(b, func(string) bool { return true })
	}
	c := csv.NewReader(b)
	c.FieldsPerRecord = -1
	c.TrimLeadingSpace = true
	titles := map[string]string{}
	for line := 1; ; line++ {
		row, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("codes: titles: %w", err)
		}
		if line == 1 && isHeader(row) {
			continue
		}
		if len(row) < 2 {
			return nil, fmt.Errorf("codes: titles: line %d has %d fields: write code,title", line, len(row))
		}
		if !utf8.ValidString(row[1]) {
			return nil, fmt.Errorf("codes: titles: line %d is not UTF-8: save the file as UTF-8", line)
		}
		titles[Normalize(row[0])] = strings.TrimSpace(row[1])
	}
	if len(titles) == 0 {
		return nil, errors.New("codes: titles: the file is empty: write lines of code,title")
	}
	return titles, nil
}

func isHeader(row []string) bool {
	first := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(row[0]), "\ufeff"))
	return first == "code" || strings.HasSuffix(first, "_code") || strings.HasPrefix(first, "icd") || first == "id"
}
