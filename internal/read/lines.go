package read

import (
	"context"
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/delimited"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/texts"
)

// behindID is a line of an id, a colon and what belongs to it.
var behindID = pattern.New(`^\s*[^\s:,;]{1,40}\s*:\s*\S`)

// codesBehindIDs recognises lines such as "1000: I10 E11.9".
func codesBehindIDs(ctx context.Context, in source.Input, lines []string, o Options) (Guess, bool, error) {
	if !strings.Contains(lines[0], ":") || !all(behindID, lines) {
		return Guess{}, false, nil
	}
	with := func(o *Options) { o.Separator, o.Header = ":", "no" }
	with(&o)
	d := o.delimited(delimited.List)
	prof, err := delimited.Survey(ctx, in, d)
	if err != nil {
		return Guess{}, false, err
	}
	reason, ok := prof.CodesBehindIDs(d)
	return Guess{Format: "wide", Reason: reason, with: with}, ok, nil
}

// behindLabel is a line of fastText: labels, then a text.
var behindLabel = pattern.New(`^\s*` + texts.LabelMark + `\S+\s`)

// labelledTexts recognises texts behind labels, which describe them and are no words of
// theirs: a fit must not see what it may be compared with.
func labelledTexts(lines []string) (Guess, bool) {
	if len(lines) == 0 || !strings.Contains(lines[0], texts.LabelMark) {
		return Guess{}, false
	}
	return Guess{
		Format: "lines",
		Reason: fmt.Sprintf("looks like texts behind labels (%s), one document a line; labels describe the texts and do not enter a fit", texts.LabelMark),
		with:   func(o *Options) { o.Lines = "fasttext" },
	}, all(behindLabel, lines)
}

// textsBelow recognises texts, one a line, below one word that names them.
func textsBelow(lines []string) (Guess, bool) {
	name, ok := delimited.TextsBelow(lines)
	return Guess{
		Format: "text", table: true,
		Reason: fmt.Sprintf("looks like running text, one document a line below the name %q; with the first line as a document: --format lines", name),
		with:   func(o *Options) { o.Separator, o.Header, o.Text = string(lineSeparator), "yes", name },
	}, ok
}
