package read

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Counted names with a label in the same line come in two forms. A fit must not see
// the label, which it may be compared with, so both become a table of a column of
// labels and one of lists.
var (
	// labelBehind: "good:2 plot:1 #label#:positive", as reviews are passed around.
	labelBehind = pattern.New(`^\s*\S+:\d+(\s+\S+:\d+)*\s+#label#:(\S+)\s*$`)
	// labelBefore: "1 | good:2 plot" or "1 2.0 'tag |words good:2 |other x", as Vowpal
	// Wabbit reads them.
	labelBefore = pattern.New(`^\s*([-+]?[\d.]+)(\s+[-+]?[\d.]+)?(\s*'?[^|\s]*)?\s*\|([A-Za-z_]\S*)?(\s+[^\s|:]*[A-Za-z][^\s|:]*(:\d+)?)+(\s+\|\S*(\s+[^\s|:]*[A-Za-z][^\s|:]*(:\d+)?)+)*\s*$`)
)

// behindMark and beforeMark are in every line of the two forms.
const behindMark, beforeMark = "#label#:", "|"

// labelledCounts turns lines of counted names with labels into a table.
func labelledCounts(ctx context.Context, inputs []source.Input, o Options, p *record.Problems) ([]source.Input, Options, error) {
	if len(inputs) != 1 || o.names() {
		return inputs, o, nil
	}
	if _, packed, err := contained(ctx, inputs[0]); packed || err != nil {
		return inputs, o, nil // whoever opens it says what is wrong
	}
	const enough = 8
	lines, err := topLines(ctx, inputs[0])
	if err != nil || len(lines) < enough {
		return inputs, o, nil
	}
	cut := cutLabelBehind
	switch {
	case nearlyAll(labelBehind, behindMark, lines):
	case nearlyAll(labelBefore, beforeMark, lines):
		cut = cutLabelBefore
	default:
		return inputs, o, nil
	}
	in, err := inputs[0].Reusable(ctx)
	if err != nil {
		return nil, o, err
	}
	p.Note("%s has a label in every line, which describes the record and does not enter a fit; as running text: --format lines", in.Name)
	o = wideOptions(o)
	o.Separator, o.Label = "tab", append(o.Label, "label")
	return []source.Input{source.Made(in, func(ctx context.Context, w io.Writer) error { return writeLabelled(ctx, w, in, cut) })}, o, nil
}

// nearlyAll reports that at most one line in ten is of another form: it is refused by its
// number when it is read, since as running text the labels of all would enter a fit.
// What marks the form is looked for before the form, which takes long to rule out.
func nearlyAll(re *pattern.Pattern, mark string, lines []string) bool {
	others := 0
	for _, l := range lines {
		if !strings.Contains(l, mark) || !re.MatchString(l) {
			others++
		}
		if 10*others > len(lines) {
			return false
		}
	}
	return true
}

// writeLabelled writes the table, a line for each line.
func writeLabelled(ctx context.Context, w io.Writer, in source.Input, cut func(string) (label, counts string, ok bool)) error {
	text, err := in.Text(ctx, nil)
	if err != nil {
		return err
	}
	defer text.Close()
	out := bufio.NewWriter(w)
	fmt.Fprint(out, "label\tcounts\n")
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, source.MaxLine)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		label, counts, ok := cut(line)
		if !ok {
			return &record.ParseError{File: in.Name, Line: n, Text: line[:min(len(line), 200)], Msg: "no label where every line above has one; as running text: --format lines"}
		}
		fmt.Fprintf(out, "%s\t%s\n", label, counts)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	return out.Flush()
}

func cutLabelBehind(line string) (label, counts string, ok bool) {
	counts, label, ok = strings.Cut(line, behindMark)
	return label, strings.TrimSpace(counts), ok && !strings.ContainsAny(label, " \t")
}

// cutLabelBefore also writes out what stands for one: a name without a number. A name
// in a space of its own is another feature there.
func cutLabelBefore(line string) (label, counts string, ok bool) {
	before, rest, ok := strings.Cut(line, beforeMark)
	words := strings.Fields(before)
	if !ok || len(words) == 0 {
		return "", "", false
	}
	var list []string
	for _, space := range strings.Split(rest, "|") {
		prefix := ""
		for i, f := range strings.Fields(space) {
			switch {
			case i == 0 && !strings.HasPrefix(space, " "):
				prefix, _, _ = strings.Cut(f, ":")
				prefix += "^"
			case strings.Contains(f, ":"):
				list = append(list, prefix+f)
			default:
				list = append(list, prefix+f+":1")
			}
		}
	}
	return words[0], strings.Join(list, " "), true
}
