package encode

import (
	"context"
	"math/bits"

	"github.com/moiety-go/moiety/internal/par"
)

// A language is recognised when its stop words are at least this share of all
// tokens, this many times those of the runner-up, and so many different ones: one
// word that happens to be one of them tells nothing ("word" is Dutch).
const (
	enoughStops    = 0.15
	clearStops     = 1.05
	differentStops = 3
)

// languageEntries are as many entries as a language is told from: its stop words are
// frequent everywhere.
const languageEntries = 4 << 20

// language finds the language of the words, "" when none stands out.
func (e *encoder) language() string {
	of, s, err := e.listen()
	if err != nil {
		return "" // the next pass over the buffer meets and reports it
	}
	return s.most(of)
}

// listen counts the stop words of all languages; of tells whose each word is.
func (e *encoder) listen() (of []tongues, sum spoken, err error) {
	names := e.raw.Names()
	of = make([]tongues, len(names))
	for i, name := range names {
		of[i] = stopWords().of[name]
	}
	all := &par.Helpers[spoken]{Make: func() *spoken { return new(spoken) }}
	hear := func(c *chunk, n int) {
		s := all.Take()
		s.add(of, c, n)
		all.Give(s)
	}
	workers := e.s.Workers
	if e.buffer.other {
		workers = 1 // sums of any numbers hang on their order
	}
	left, looks := languageEntries, []int{}
	for _, c := range e.buffer.chunks {
		looks = append(looks, min(left, len(c.feature)))
		left -= looks[len(looks)-1]
	}
	_ = par.Do(context.Background(), workers, len(looks), func(i int) error { // nothing fails
		hear(e.buffer.chunks[i], looks[i])
		return nil
	})
	n, err := e.buffer.ready()
	for i := len(looks); err == nil && i < n && left > 0; i++ {
		var c *chunk
		if c, err = e.buffer.chunk(i); err == nil {
			look := min(left, len(c.feature))
			hear(c, look)
			left -= look
			c.recycle()
		}
	}
	for _, s := range par.All(all) {
		sum.total += s.total
		for i, hits := range s.hits {
			sum.hits[i] += hits
		}
	}
	return of, sum, err
}

// tongues is a set of languages.
type tongues uint32

// spoken counts tokens: all, and those that are stop words of each language.
type spoken struct {
	total float64
	hits  [mostLanguages]float64
}

// add counts the first n entries of a chunk.
func (s *spoken) add(of []tongues, c *chunk, n int) {
	for i, h := range c.feature[:n] {
		v := 1.0
		switch {
		case c.small != nil:
			v = float64(c.small[i])
		case c.value != nil:
			v = c.value[i]
		}
		s.total += v
		for set := of[h]; set != 0; set &= set - 1 {
			s.hits[bits.TrailingZeros32(uint32(set))] += v
		}
	}
}

// most returns the language whose stop words are most frequent, "" when none stands out.
func (s *spoken) most(of []tongues) (language string) {
	best, second, different := 0.0, 0.0, 0
	for i, name := range Languages() {
		kinds := 0
		for _, set := range of {
			kinds += int(set >> i & 1)
		}
		switch hits := s.hits[i]; {
		case hits > best:
			language, best, second, different = name, hits, best, kinds
		case hits > second:
			second = hits
		}
	}
	if s.total == 0 || best < enoughStops*s.total || best < clearStops*second || different < differentStops {
		return ""
	}
	return language
}
