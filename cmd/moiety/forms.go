package main

import (
	"bytes"

	"github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/show"
)

// Marks of the files that "convert" and "sample" write: remarks where a format
// has room for them, elsewhere blanks that no reader minds (docs/decisions,
// "Files that are ours").
const (
	markMTX      = "% moiety convert\n"
	markSVMlight = "# moiety convert\n"
	markUCI      = " \n" // the end of the third line
	markJSONL    = "{ "  // of the first record
	markParquet  = "written by moiety convert"
)

// convertForm returns the form of a file of data, by which an earlier one is
// known.
func convertForm(format string) outfile.Form {
	ours := map[string]func(head, tail []byte) bool{
		"csv": func(head, _ []byte) bool { return cells.Marked(head) },
		"mtx": func(head, _ []byte) bool {
			_, rest, _ := bytes.Cut(head, []byte("\n"))
			return bytes.HasPrefix(head, []byte("%%MatrixMarket ")) && bytes.HasPrefix(rest, []byte(markMTX))
		},
		"svmlight": func(head, _ []byte) bool { return bytes.HasPrefix(head, []byte(markSVMlight)) },
		"uci": func(head, _ []byte) bool {
			lines := bytes.SplitAfterN(head, []byte("\n"), 4)
			return len(lines) == 4 && bytes.HasSuffix(lines[2], []byte(markUCI))
		},
		"jsonl":   func(head, _ []byte) bool { return bytes.HasPrefix(head, []byte(markJSONL+`"`)) },
		"parquet": func(_, tail []byte) bool { return bytes.Contains(tail, []byte(markParquet)) },
	}
	return outfile.Form{Name: "an earlier file of this command", Ours: ours[format]}
}

// formOf and tableForm return the form of an output, by which an earlier one is
// known.
func formOf(name string) outfile.Form    { return outfile.Form(show.FormOf(name)) }
func tableForm(name string) outfile.Form { return outfile.Form(show.TableForm(name)) }
