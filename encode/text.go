package encode

import (
	"context"

	"github.com/moiety-go/moiety/par"
	"github.com/moiety-go/moiety/record"
)

// piece is the number of texts that one worker cuts at a time.
const piece = 32

// words numbers the words of running text, on all cores; the numbers are those
// of one core.
type words struct {
	dict    *record.Dict
	plan    *Plan
	workers int
	tokens  int
}

// pieceWords are the words of a piece with numbers of its own.
type pieceWords struct {
	dict *record.Dict
	ptr  []int
	word []uint32
}

// number fills the rows of a chunk with the words of its texts, in order.
func (w *words) number(ctx context.Context, c *chunk, texts []string) error {
	pieces := make([]pieceWords, (len(texts)+piece-1)/piece)
	err := par.Do(ctx, w.workers, len(pieces), func(i int) error {
		pieces[i] = w.plan.cut(texts[i*piece : min((i+1)*piece, len(texts))])
		return nil
	})
	if err != nil {
		return err
	}
	c.ptr = append(make([]int, 0, len(texts)+1), 0)
	for _, p := range pieces {
		global := make([]uint32, p.dict.Len())
		for i, name := range p.dict.Names() {
			global[i] = w.dict.Add(name)
		}
		base := len(c.feature)
		for _, local := range p.word {
			c.feature = append(c.feature, global[local])
		}
		for _, end := range p.ptr {
			c.ptr = append(c.ptr, base+end)
		}
		w.tokens += len(p.word)
	}
	return nil
}

func (p *Plan) cut(texts []string) pieceWords {
	out := pieceWords{dict: record.NewDict()}
	t := tokenizer{minLength: p.MinLength, numbers: p.Numbers, turkish: p.Turkish}
	for _, text := range texts {
		t.cut(text, func(word []byte) { out.word = append(out.word, out.dict.AddBytes(word)) })
		out.ptr = append(out.ptr, len(out.word))
	}
	return out
}
