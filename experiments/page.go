package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/moiety-go/moiety/experiments/lab"
)

// Lines of the pages between which the output of a run stands.
const (
	tablesMark  = "<!-- tables: go run -C experiments . all --into ../docs -->\n"
	summaryMark = "<!-- summary: go run -C experiments . all --into ../docs -->\n"
	summaryEnd  = "<!-- end of the summary -->\n"
)

var heading = regexp.MustCompile(`(?m)^#`)

// bookName is the file of all figures, in the folder of the page.
const bookName = "results.json"

// into writes the page: the figures of a run join those of before, and the summary
// and the tables are made of all of them.
func into(folder string, fresh *lab.Book) error {
	if folder == "" {
		return fmt.Errorf("say where the page is: --into ../docs")
	}
	book, err := lab.ReadBook(filepath.Join(folder, bookName))
	if err != nil {
		return err
	}
	for _, e := range fresh.Experiments {
		book.Put(e)
	}
	inOrder(book)
	summary, err := summarise(book)
	if err != nil {
		return err
	}
	if err := between(filepath.Join(folder, "results.md"), summaryMark, summaryEnd, summary); err != nil {
		return err
	}
	if err := between(filepath.Join(folder, "..", "experiments", "tables.md"), tablesMark, "", tablesOf(book)); err != nil {
		return err
	}
	return book.Save(filepath.Join(folder, bookName))
}

// inOrder brings the entries of a book into the order of the list.
func inOrder(b *lab.Book) {
	at := map[string]int{}
	for i, e := range experiments {
		at[e.name] = i
	}
	slices.SortStableFunc(b.Experiments, func(x, y lab.Entry) int { return at[x.Name] - at[y.Name] })
}

// tablesOf returns what all experiments printed, with headings below those of the
// page.
func tablesOf(b *lab.Book) []byte {
	var out bytes.Buffer
	for _, e := range b.Experiments {
		out.WriteString(e.Text)
	}
	return append(heading.ReplaceAll(bytes.TrimSpace(out.Bytes()), []byte("###")), '\n')
}

// between puts text into a page between two lines, or from the first to the end.
func between(path, from, to string, text []byte) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	at := bytes.Index(page, []byte(from))
	if at < 0 {
		return fmt.Errorf("%s has no line %q to put the output below", path, from)
	}
	out := append(page[:at:at], from...)
	out = append(append(out, '\n'), text...)
	if to != "" {
		end := bytes.Index(page, []byte(to))
		if end < at {
			return fmt.Errorf("%s has no line %q after the output", path, to)
		}
		out = append(append(out, '\n'), page[end:]...)
	}
	return os.WriteFile(path, out, 0o644)
}
