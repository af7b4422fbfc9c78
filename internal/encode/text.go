package encode

import (
	"context"
	"sync"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/record"
)

// piece is the number of texts that one worker cuts at a time.
const piece = 128

// words numbers the words of running text, on all cores; the numbers are those
// of one core.
type words struct {
	dict    *record.Dict
	plan    *Plan
	workers int
	tokens  int
	free    sync.Pool // of *pieceWords
}

// pieceWords are the words of a piece with numbers of its own.
type pieceWords struct {
	dict *record.Dict
	ptr  []int
	word []uint32
}

// number fills the rows of a chunk with the words of its texts, in order.
func (w *words) number(ctx context.Context, c *chunk, texts []string) error {
	pieces := make([]*pieceWords, (len(texts)+piece-1)/piece)
	err := par.Do(ctx, w.workers, len(pieces), func(i int) error {
		pieces[i] = w.piece()
		w.plan.cut(pieces[i], texts[i*piece:min((i+1)*piece, len(texts))])
		return nil
	})
	if err != nil {
		return err
	}
	words := 0
	for _, p := range pieces {
		words += len(p.word)
	}
	c.ptr = append(make([]int, 0, len(texts)+1), 0)
	c.feature = make([]uint32, 0, words)
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
		w.free.Put(p)
	}
	return nil
}

// piece returns an empty piece, perhaps with the memory of an earlier one.
func (w *words) piece() *pieceWords {
	p, _ := w.free.Get().(*pieceWords)
	if p == nil {
		return &pieceWords{dict: record.NewDict()}
	}
	p.dict.Reset()
	p.ptr, p.word = p.ptr[:0], p.word[:0]
	return p
}

// cut numbers the words of some texts.
func (p *Plan) cut(out *pieceWords, texts []string) {
	t := tokenizer{minLength: p.MinLength, numbers: p.Numbers, turkish: p.Turkish}
	for _, text := range texts {
		t.cut(text, func(word []byte) { out.word = append(out.word, out.dict.AddBytes(word)) })
		out.ptr = append(out.ptr, len(out.word))
	}
}
