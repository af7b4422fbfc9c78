package machines

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/moiety-go/moiety/bank/law"
)

// singleTexts are the laws of texts that come from one population.
func singleTexts() []law.Law {
	return []law.Law{
		{
			Name: "positions on one scale in speeches", Kind: law.Texts, Groups: 1, Draw: speechesOnAScale,
			About: "Wordfish: every word's rate is log-linear in one continuous, normal position of the speaker (Slapin and Proksch 2008).",
		},
		{
			Name: "bursty letters", Kind: law.Texts, Groups: 1, Draw: burstyLetters,
			About: "Dirichlet compound multinomial of one base distribution: a word once used comes again (Madsen, Kauchak and Elkan 2005).",
		},
		{
			Name: "words of Katz's K mixture", Kind: law.Texts, Groups: 1, Draw: katzWords,
			About: "Every word by itself is absent, or present with a geometric number of repeats; words are independent (Church and Gale 1995; Katz 1996).",
		},
		{
			Name: "vocabulary that drifts over years", Kind: law.Texts, Groups: 1, Draw: driftingVocabulary,
			About: "Words rise and fade smoothly over a span of time in which documents are spread evenly (culturomics: Michel et al. 2011); no break anywhere.",
		},
		{
			Name: "inspection reports with stock sentences", Kind: law.Texts, Groups: 1, Draw: stockSentences,
			About: "Stock sentences each enter by an independent coin of their own, besides free words: words in perfect company but no classes (boilerplate: Kohlschütter et al. 2010).",
		},
		{
			Name: "sentences copied from earlier messages", Kind: law.Texts, Groups: 1, Draw: copiedSentences,
			About: "Simon's copying process over sentences: a sentence is new or repeats an earlier one drawn at random, so that the copied are copied again (Simon 1955).",
		},
		{
			Name: "titles of a chain of word pairs", Kind: law.Texts, Groups: 1, Draw: titlesOfPairs,
			About: "Words follow the word before them by one bigram table with strong collocations (Shannon 1948).",
		},
		{
			Name: "register from casual to formal", Kind: law.Texts, Groups: 1, Draw: registerScale,
			About: "Biber's first dimension: the share of involved against informational words moves on a continuous scale, with length and its heavy tail (Biber 1988).",
		},
	}
}

// speechesOnAScale draws speeches whose words lean with the speaker's position.
func speechesOnAScale(r *rand.Rand, n int) law.Data {
	words := append(append([]string(nil), unique(commonWords)...), themes[3]...)
	words = append(words, themes[0]...)
	words = unique(append(words, coinWords(r, between(r, 150, 400))...))
	base := zipf(len(words), uniform(r, 0.8, 1.05), 3)
	lean := normals(r, len(words), 0, uniform(r, 0.3, 0.6))
	median := uniform(r, 70, 180)
	texts := make([]string, n)
	weights := make([]float64, len(words))
	for i := range texts {
		position := r.NormFloat64()
		for j := range weights {
			weights[j] = base[j] * math.Exp(lean[j]*position)
		}
		speech := newLexicon(words, weights)
		texts[i] = prose(r, speech.some(r, documentLength(r, median, 0.5, 15, 800)))
	}
	return law.Data{Texts: texts}
}

// burstyLetters draws letters of one urn.
func burstyLetters(r *rand.Rand, n int) law.Data {
	lex := background(r, between(r, 300, 700))
	strength := uniform(r, 40, 160)
	median := uniform(r, 60, 140)
	texts := make([]string, n)
	for i := range texts {
		size := documentLength(r, median, 0.6, 10, 700)
		texts[i] = prose(r, urn(r, func() string { return lex.draw(r) }, strength, size))
	}
	return law.Data{Texts: texts}
}

// katzWords draws abstracts in which each word repeats by a law of its own.
func katzWords(r *rand.Rand, n int) law.Data {
	words := append(append([]string(nil), themes[between(r, 0, 9)]...), coinWords(r, between(r, 250, 400))...)
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	present := make([]float64, len(words))
	repeat := make([]float64, len(words))
	for j := range words {
		present[j] = min(0.7, uniform(r, 1, 2)*math.Pow(float64(j+2), -0.75))
		repeat[j] = uniform(r, 0.1, 0.7)
	}
	texts := make([]string, n)
	for i := range texts {
		var used []string
		for j, w := range words {
			if !coin(r, present[j]) {
				continue
			}
			for range 1 + geometric(r, 1-repeat[j]) {
				used = append(used, w)
			}
		}
		if len(used) == 0 {
			used = append(used, words[0])
		}
		r.Shuffle(len(used), func(a, b int) { used[a], used[b] = used[b], used[a] })
		texts[i] = prose(r, used)
	}
	return law.Data{Texts: texts}
}

// driftingVocabulary draws notices of a span of time without saying when.
func driftingVocabulary(r *rand.Rand, n int) law.Data {
	words := append(append([]string(nil), unique(commonWords)...), coinWords(r, between(r, 250, 450))...)
	base := zipf(len(words), uniform(r, 0.85, 1.05), 3)
	slope := make([]float64, len(words))
	centre := uniforms(r, len(words), -0.3, 1.3)
	width := uniforms(r, len(words), 0.3, 0.7)
	for j := range words {
		if coin(r, 0.4) {
			slope[j] = normal(r, 0, uniform(r, 1, 1.6))
		}
	}
	median := uniform(r, 40, 110)
	texts := make([]string, n)
	weights := make([]float64, len(words))
	for i := range texts {
		when := r.Float64()
		for j := range weights {
			weights[j] = base[j]
			if slope[j] != 0 {
				weights[j] *= math.Exp(slope[j] * bump(when, centre[j], width[j]))
			}
		}
		texts[i] = prose(r, newLexicon(words, weights).some(r, documentLength(r, median, 0.4, 12, 500)))
	}
	return law.Data{Texts: texts}
}

// stockSentences draws reports made of stock sentences and free remarks.
func stockSentences(r *rand.Rand, n int) law.Data {
	lex := background(r, between(r, 100, 250))
	trade := reranked(r, themes[8], 0.8)
	stock := make([]string, between(r, 12, 18))
	for s := range stock {
		stock[s] = sentence(r, blend(r, trade, lex, 0.35, between(r, 6, 12)))
	}
	enter := uniforms(r, len(stock), 0.12, 0.92)
	texts := make([]string, n)
	for i := range texts {
		var parts []string
		for s, text := range stock {
			if coin(r, enter[s]) {
				parts = append(parts, text)
			}
		}
		for range between(r, 1, 3) {
			remark := sentence(r, blend(r, trade, lex, 0.25, between(r, 5, 14)))
			parts = append(parts, remark)
		}
		texts[i] = strings.Join(parts, " ")
	}
	return law.Data{Texts: texts}
}

// copiedSentences draws messages that quote earlier ones.
func copiedSentences(r *rand.Rand, n int) law.Data {
	lex := background(r, between(r, 300, 600))
	fresh := uniform(r, 0.5, 0.7)
	var pool []string
	texts := make([]string, n)
	for i := range texts {
		parts := make([]string, between(r, 2, 5))
		for s := range parts {
			if len(pool) > 0 && !coin(r, fresh) {
				parts[s] = pool[r.IntN(len(pool))]
			} else {
				parts[s] = sentence(r, lex.some(r, between(r, 5, 13)))
			}
			pool = append(pool, parts[s])
		}
		texts[i] = strings.Join(parts, " ")
	}
	r.Shuffle(n, func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	return law.Data{Texts: texts}
}

// titlesOfPairs draws titles of papers by a table of which word follows which.
func titlesOfPairs(r *rand.Rand, n int) law.Data {
	words := coinWords(r, between(r, 250, 400))
	words = append(words, themes[5]...)
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	use := newWheel(zipf(len(words), 0.9, 3))
	next := make([]lexicon, len(words))
	index := map[string]int{}
	for j, w := range words {
		index[w] = j
		followers := make([]string, between(r, 5, 15))
		for f := range followers {
			followers[f] = words[use.draw(r)]
		}
		next[j] = ranked(followers, 0.8)
	}
	links := strings.Fields("of for with and in")
	texts := make([]string, n)
	for i := range texts {
		word := words[use.draw(r)]
		title := []string{capital(word)}
		for range between(r, 3, 10) {
			if coin(r, 0.2) {
				title = append(title, links[r.IntN(len(links))])
			}
			if coin(r, 0.3) {
				word = words[use.draw(r)]
			} else {
				word = next[index[word]].draw(r)
			}
			title = append(title, capital(word))
		}
		texts[i] = strings.Join(title, " ")
	}
	return law.Data{Texts: texts}
}

// registerScale draws posts from casual to formal.
func registerScale(r *rand.Rand, n int) law.Data {
	involved := reranked(r, strings.Fields(`i you we me my really just so think know want like guess maybe
		thing stuff got get go pretty kind lot yeah ok hey thanks sorry please feel love hope sure anyway
		actually honestly probably something anybody cool nice weird funny`), 0.7)
	formal := reranked(r, strings.Fields(`therefore whereas thus hereby pursuant regarding concerning
		furthermore accordingly subsequently provision requirement pertaining notwithstanding respective
		aforementioned consequently establish determine obtain constitute facilitate implementation evaluation
		assessment recommendation significance approximately sufficient additional principal jurisdiction`), 0.7)
	rest := background(r, between(r, 200, 500))
	marked := uniform(r, 0.3, 0.45)
	texts := make([]string, n)
	for i := range texts {
		scale := r.NormFloat64()
		lean := logistic(1.1 * scale)
		size := documentLength(r, 45*math.Exp(0.25*scale), 0.7, 8, 900)
		words := make([]string, size)
		for w := range words {
			switch {
			case !coin(r, marked):
				words[w] = rest.draw(r)
			case coin(r, lean):
				words[w] = formal.draw(r)
			default:
				words[w] = involved.draw(r)
			}
		}
		texts[i] = prose(r, words)
	}
	return law.Data{Texts: texts}
}
