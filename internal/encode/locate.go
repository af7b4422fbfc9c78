package encode

import "github.com/moiety-go/moiety/vocab"

// Locator finds the features of a vocabulary in running text, where they stand.
type Locator struct {
	plan  *Plan
	terms *terms
	// raw are the numbers of the words seen, list the words by number.
	raw  map[string]uint32
	list []string
}

// Found is a feature in a text: the bytes [From, To) of one of its words.
type Found struct{ From, To, Feature int }

// NewLocator returns a locator for texts that were encoded by a plan.
func NewLocator(p *Plan, v *vocab.Vocab) (*Locator, error) {
	t, err := newTerms(p)
	if err != nil {
		return nil, err
	}
	t.known = make(map[string]uint32, v.Len())
	for i, name := range v.Names {
		t.known[name] = uint32(i)
	}
	return &Locator{plan: p, terms: t, raw: make(map[string]uint32)}, nil
}

// Find returns the features of a text in order; a word of several, alone and in
// runs of words, comes several times.
func (l *Locator) Find(text string) []Found {
	var out []Found
	var run [][2]int // places of the words of a row that are no stop words
	var kept []uint32
	t := tokenizer{minLength: l.plan.MinLength, numbers: l.plan.Numbers, turkish: l.plan.Turkish}
	t.cut(text, func(word []byte) {
		raw, ok := l.raw[string(word)]
		if !ok {
			raw = uint32(len(l.list))
			l.raw[string(word)], l.list = raw, append(l.list, string(word))
			l.terms.grow(l.list)
		}
		if l.terms.word[raw] == "" {
			return
		}
		kept, run = append(kept, raw), append(run, [2]int{t.from, t.to})
		if u := l.terms.unigram[raw]; u >= 0 {
			out = append(out, Found{t.from, t.to, int(u)})
		}
		for n := 2; n <= min(l.plan.Ngrams, len(kept)); n++ {
			if g := l.terms.gram(kept[len(kept)-n:]); g >= 0 {
				for _, at := range run[len(run)-n:] {
					out = append(out, Found{at[0], at[1], int(g)})
				}
			}
		}
	})
	return out
}
