package uci

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/triplets"
)

// maxWord is the longest word of a vocabulary in bytes.
const maxWord = 1 << 16

// stem returns X of docword.X.txt, or the name without its ending.
func stem(in source.Input) string {
	base := strings.TrimPrefix(in.Base(), "docword.")
	return strings.TrimSuffix(base, ".txt")
}

// vocabStem returns X of vocab.X.txt.
func vocabStem(in source.Input) (string, bool) {
	x, ok := strings.CutPrefix(in.Base(), "vocab.")
	return strings.TrimSuffix(x, ".txt"), ok
}

// columns names the columns of one docword file by its vocabulary.
func (r *reader) columns(ctx context.Context, in source.Input, width int) (*triplets.Columns, error) {
	vocab, found, err := r.vocab(in)
	if err != nil {
		return nil, err
	}
	if !found {
		r.p.Note("%s: no vocabulary file found beside it, so words are named by their numbers; name it with --vocab-file", in.Name)
		return triplets.NewNumbered(r.schema.Dict, width, 1), nil
	}
	words, more, err := r.words(ctx, vocab, width)
	if err != nil {
		return nil, err
	}
	if isOurs(ctx, in) {
		for i, w := range words {
			words[i] = cells.Unline(w)
		}
	}
	if len(words) == 0 && width > 0 {
		return nil, fmt.Errorf("%s: the vocabulary is empty, %d words are expected: %w", vocab.Name, width, source.ErrEmpty)
	}
	if n := len(words) + more; n != width {
		r.p.Note("%s: %d words where the docword file expects %d; the vocabulary may belong to another file", vocab.Name, n, width)
	}
	columns, renamed := triplets.NewColumns(r.schema.Dict, words, width)
	if renamed > 0 {
		r.p.Repaired("words that are empty or twice in the vocabulary, named by their line", renamed)
	}
	return columns, nil
}

// isOurs reports a file that this program wrote: its third line, the number of
// entries, ends with a blank.
func isOurs(ctx context.Context, in source.Input) bool {
	head, err := in.Head(ctx, 256)
	lines := strings.SplitAfterN(string(head), "\n", 4)
	return err == nil && len(lines) == 4 && strings.HasSuffix(lines[2], " \n")
}

// vocab finds the vocabulary: the option, then the inputs, then the folder.
func (r *reader) vocab(in source.Input) (source.Input, bool, error) {
	if r.o.VocabFile != "" {
		v, err := source.File(r.o.VocabFile)
		return v, err == nil, err
	}
	if v, ok := r.vocabs[stem(in)]; ok {
		return v, true, nil
	}
	if in.Path() == "" {
		return source.Input{}, false, nil
	}
	for _, ext := range []string{".txt", ".txt.gz", ".txt.zst"} {
		path := filepath.Join(filepath.Dir(in.Path()), "vocab."+stem(in)+ext)
		if _, err := os.Stat(path); err == nil {
			v, err := source.File(path)
			return v, err == nil, err
		}
	}
	return source.Input{}, false, nil
}

// words reads up to limit lines and counts the rest.
func (r *reader) words(ctx context.Context, vocab source.Input, limit int) (words []string, more int, err error) {
	text, err := vocab.Text(ctx, r.p)
	if err != nil {
		return nil, 0, err
	}
	defer text.Close()
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, maxWord)
	for lines.Scan() {
		if len(words) == limit {
			more++
			continue
		}
		words = append(words, strings.TrimSpace(lines.Text()))
	}
	if err := lines.Err(); err != nil && err != io.EOF {
		return nil, 0, fmt.Errorf("%s: line %d of the vocabulary: %w", vocab.Name, len(words)+more+1, err)
	}
	return words, more, nil
}
