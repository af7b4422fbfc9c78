package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
)

// marker is the line of experiments/tables.md below which the tables of a run stand.
const marker = "<!-- tables: go run ./experiments all --into experiments/tables.md -->\n"

var heading = regexp.MustCompile(`(?m)^#`)

// into puts the output of a run below the marker of a page, in the place of
// the tables of the last run, with headings below those of the page.
func into(path string, tables []byte) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	at := bytes.Index(page, []byte(marker))
	if at < 0 {
		return fmt.Errorf("%s has no line %q to put the tables below", path, marker)
	}
	out := append(page[:at:at], marker...)
	tables = heading.ReplaceAll(bytes.TrimSpace(tables), []byte("###"))
	out = append(append(out, '\n'), tables...)
	return os.WriteFile(path, append(out, '\n'), 0o644)
}
