package draw

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/bank/law"
)

// File is a file of records, and what its user knows about it.
type File struct {
	Path  string
	Flags []string // that a user must give for this kind of records
	Steps bool     // what is placed in groups are the steps of sequences
	// Keys name the records, or the steps as "sequence,step", in the order of the
	// truth.
	Keys []string
}

// Write writes the records to a file of the folder.
func Write(folder string, d law.Data) (File, error) {
	f := File{Path: filepath.Join(folder, "data.csv")}
	var content []byte
	switch {
	case d.Table != nil:
		content, f.Keys = table(append([][]string{d.Columns}, d.Table...)), numbers(len(d.Table))
	case d.Lists != nil:
		content, f.Keys = table(pairs(d.Lists)), numbers(len(d.Lists))
	case d.Texts != nil:
		f.Path = filepath.Join(folder, "data.txt")
		content, f.Keys = lines(d.Texts), numbers(len(d.Texts))
	default:
		f.Flags, f.Steps = []string{"--format", "sequences", "--id", "id", "--time", "time"}, true
		content, f.Keys = table(steps(d.Steps)), stepKeys(d.Steps)
	}
	return f, os.WriteFile(f.Path, content, 0o644)
}

// table writes rows as CSV.
func table(rows [][]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.WriteAll(rows) // a buffer takes everything
	return b.Bytes()
}

// pairs are the rows of a long table, a line for every code of a record; a record
// without any has a line with an empty one.
func pairs(lists [][]string) [][]string {
	rows := [][]string{{"id", "code"}}
	for i, list := range lists {
		if len(list) == 0 {
			list = []string{""}
		}
		for _, code := range list {
			rows = append(rows, []string{strconv.Itoa(i + 1), code})
		}
	}
	return rows
}

// lines writes one document a line.
func lines(texts []string) []byte {
	var b bytes.Buffer
	for _, text := range texts {
		b.WriteString(strings.Join(strings.Fields(text), " "))
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// steps are the rows of a long table of sequences. The last column is named by what
// the steps show: symbols or numbers.
func steps(sequences [][]string) [][]string {
	shown := "value"
	if !Numeric(sequences) {
		shown = "state"
	}
	rows := [][]string{{"id", "time", shown}}
	for i, sequence := range sequences {
		for t, step := range sequence {
			rows = append(rows, []string{strconv.Itoa(i + 1), strconv.Itoa(t + 1), step})
		}
	}
	return rows
}

// Numeric says whether everything that the cells hold is a number.
func Numeric(cells [][]string) bool {
	for _, row := range cells {
		for _, c := range row {
			if _, err := strconv.ParseFloat(c, 64); err != nil && c != "" {
				return false
			}
		}
	}
	return true
}

// stepKeys names every step.
func stepKeys(sequences [][]string) []string {
	var keys []string
	for i, sequence := range sequences {
		for t := range sequence {
			keys = append(keys, strconv.Itoa(i+1)+","+strconv.Itoa(t+1))
		}
	}
	return keys
}

// numbers counts records from 1, as the program does where they have no ids.
func numbers(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = strconv.Itoa(i + 1)
	}
	return keys
}
