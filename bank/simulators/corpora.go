package simulators

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// textLaws are simulated corpora.
func textLaws() []law.Law {
	return []law.Law{
		{
			Name: "mixture of unigrams", Kind: law.Texts, Groups: 4,
			About: "Each document from one of four word distributions over a Zipf background (Nigam et al. 2000).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawUnigrams(r, n, uneven(r, 4), 1.1, 30, 70)
			},
		},
		{
			Name: "rare themes", Kind: law.Texts, Groups: 3,
			About: "Mixture of unigrams with themes of 90, 8 and 2 percent (Nigam et al. 2000; Zhong and Ghosh 2005).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawUnigrams(r, n, steep(), 1.3, 40, 80)
			},
		},
		{
			Name: "bars", Kind: law.Texts, Groups: 8,
			About: "Bars: topics are the rows and columns of a grid of words; a document leans on one (Griffiths and Steyvers 2004).",
			Draw:  drawBars,
		},
		{
			Name: "separable topics", Kind: law.Texts, Groups: 5,
			About: "Topics with anchor words of their own and a sparse Dirichlet over topics in each document (Blei, Ng and Jordan 2003; Arora et al. 2013).",
			Draw:  drawSeparable,
		},
		{
			Name: "aspects with overlap", Kind: law.Texts, Groups: 3,
			About: "Short documents that mix one leading aspect with the others and with a shared background (Hofmann 1999, pLSA).",
			Draw:  drawAspects,
		},
		{
			Name: "word bursts", Kind: law.Texts, Groups: 1,
			About: "Dirichlet compound multinomial documents: a word once used comes again (Madsen, Kauchak and Elkan 2005).",
			Draw:  drawBursts,
		},
		{
			Name: "wordfish scale", Kind: law.Texts, Groups: 1,
			About: "Words whose rates rise or fall with a document's continuous position (Slapin and Proksch 2008, Wordfish).",
			Draw:  drawWordfish,
		},
		{
			Name: "vocabulary drift", Kind: law.Texts, Groups: 1,
			About: "Words come and go smoothly over continuous time (Altmann, Pierrehumbert and Motter 2009; Wang, Blei and Heckerman 2008).",
			Draw:  drawDrift,
		},
		{
			Name: "chain of words", Kind: law.Texts, Groups: 1,
			About: "One first-order chain of words with frequent collocations (Shannon 1948; Church and Hanks 1990).",
			Draw:  drawWordChain,
		},
		{
			Name: "zipf words", Kind: law.Texts, Groups: 1,
			About: "Independent words by the law of Zipf and Mandelbrot in documents of very different lengths (Zipf 1949; Mandelbrot 1953).",
			Draw:  drawZipf,
		},
	}
}

// textLength draws a document's length between about lo and hi.
func textLength(r *rand.Rand, lo, hi int) int {
	middle := math.Sqrt(float64(lo * hi))
	return max(3, int(logNormal(r, math.Log(middle), math.Log(float64(hi)/float64(lo))/3)))
}

// wordsOf draws a document of the given length from one sampler.
func wordsOf(r *rand.Rand, vocabulary []string, s sampler, length int) []string {
	list := make([]string, length)
	for i := range list {
		list[i] = vocabulary[s.draw(r)]
	}
	return list
}

// topicSamplers draws k word distributions: a Zipf background whose logarithms are
// shifted by normal noise of the given size, topic by topic.
func topicSamplers(r *rand.Rand, k, v int, apartness float64) []sampler {
	base := zipf(v, uniform(r, 0.8, 1.1), 3)
	topics := make([]sampler, k)
	for g := range topics {
		w := make([]float64, v)
		for j := range w {
			w[j] = base[j] * math.Exp(normal(r, 0, apartness))
		}
		topics[g] = newSampler(w)
	}
	return topics
}

func drawUnigrams(r *rand.Rand, n int, shares []float64, apartness float64, lo, hi int) law.Data {
	vocabulary := words(r, between(r, 250, 500))
	topics := topicSamplers(r, len(shares), len(vocabulary), apartness)
	sentences := r.IntN(2) == 0
	group := assign(r, n, shares)
	data := law.Data{Texts: make([]string, n), Group: group}
	for i, g := range group {
		data.Texts[i] = prose(r, wordsOf(r, vocabulary, topics[g], textLength(r, lo, hi)), sentences)
	}
	return data
}

var gridWords = []string{
	"river", "stream", "bank", "money", "loan", "water", "field", "market", "trade", "price", "stone", "wood",
	"light", "colour", "paint", "brush",
}

// drawBars lays sixteen words out on a square of four; each row and each column is
// a topic.
func drawBars(r *rand.Rand, n int) law.Data {
	vocabulary := namesIn(r, gridWords, 16)
	lead := uniform(r, 0.75, 0.9)
	group := assign(r, n, even(8))
	data := law.Data{Texts: make([]string, n), Group: group}
	for i, g := range group {
		mix := scaled(dirichlet(r, symmetric(8, 0.5)), 1-lead)
		mix[g] += lead
		list := make([]string, textLength(r, 40, 100))
		for w := range list {
			if topic := categorical(r, mix); topic < 4 {
				list[w] = vocabulary[4*topic+r.IntN(4)]
			} else {
				list[w] = vocabulary[4*r.IntN(4)+topic-4]
			}
		}
		data.Texts[i] = prose(r, list, false)
	}
	return data
}

// drawSeparable calls a document's group its leading topic, which the sparse
// Dirichlet makes plain for most.
func drawSeparable(r *rand.Rand, n int) law.Data {
	const k = 5
	v := between(r, 200, 400)
	vocabulary := words(r, v)
	topics := make([]sampler, k)
	base := zipf(v, 0.9, 3)
	for g := range topics {
		w := make([]float64, v)
		for j := range w {
			w[j] = base[j] * gamma(r, 0.4, 2.5)
		}
		for a := range 4 * k { // anchors: words of one topic alone
			place := 5 + a
			w[place] = 0
			if a%k == g {
				w[place] = 0.03
			}
		}
		topics[g] = newSampler(w)
	}
	order := r.Perm(v) // so that the anchors are not the same words in the look of a file
	shuffled := make([]string, v)
	for j, o := range order {
		shuffled[j] = vocabulary[o]
	}
	alpha := uniform(r, 0.03, 0.08)
	sentences := r.IntN(2) == 0
	data := law.Data{Texts: make([]string, n), Group: make([]int, n)}
	for i := range data.Texts {
		mix := dirichlet(r, symmetric(k, alpha))
		for g, share := range mix {
			if share > mix[data.Group[i]] {
				data.Group[i] = g
			}
		}
		list := make([]string, textLength(r, 40, 100))
		for w := range list {
			list[w] = shuffled[topics[categorical(r, mix)].draw(r)]
		}
		data.Texts[i] = prose(r, list, sentences)
	}
	return data
}

func drawAspects(r *rand.Rand, n int) law.Data {
	const k = 3
	vocabulary := words(r, between(r, 200, 350))
	topics := topicSamplers(r, k+1, len(vocabulary), 1)
	background := uniform(r, 0.25, 0.4)
	group := assign(r, n, uneven(r, k))
	data := law.Data{Texts: make([]string, n), Group: group}
	for i, g := range group {
		mix := dirichlet(r, []float64{1, 1, 1})
		lead := beta(r, 9, 3)
		list := make([]string, textLength(r, 18, 40))
		for w := range list {
			topic := g
			switch {
			case bernoulli(r, background):
				topic = k
			case !bernoulli(r, lead):
				topic = categorical(r, mix)
			}
			list[w] = vocabulary[topics[topic].draw(r)]
		}
		data.Texts[i] = prose(r, list, false)
	}
	return data
}

// drawBursts lets each document draw by Pólya's urn.
func drawBursts(r *rand.Rand, n int) law.Data {
	vocabulary := words(r, between(r, 200, 400))
	base := newSampler(zipf(len(vocabulary), uniform(r, 0.8, 1.1), 3))
	precision := uniform(r, 25, 90)
	sentences := r.IntN(2) == 0
	data := law.Data{Texts: make([]string, n)}
	for i := range data.Texts {
		list := make([]string, textLength(r, 30, 90))
		for w := range list {
			if bernoulli(r, float64(w)/(float64(w)+precision)) {
				list[w] = list[r.IntN(w)]
			} else {
				list[w] = vocabulary[base.draw(r)]
			}
		}
		r.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
		data.Texts[i] = prose(r, list, sentences)
	}
	return data
}

func drawWordfish(r *rand.Rand, n int) law.Data {
	v := between(r, 200, 350)
	vocabulary := words(r, v)
	base, slope := zipf(v, uniform(r, 0.7, 1), 3), make([]float64, v)
	for j := range slope {
		slope[j] = normal(r, 0, 0.5)
	}
	sentences := r.IntN(2) == 0
	data := law.Data{Texts: make([]string, n)}
	w := make([]float64, v)
	for i := range data.Texts {
		at := r.NormFloat64()
		for j := range w {
			w[j] = base[j] * math.Exp(slope[j]*at)
		}
		data.Texts[i] = prose(r, wordsOf(r, vocabulary, newSampler(w), textLength(r, 30, 80)), sentences)
	}
	return data
}

func drawDrift(r *rand.Rand, n int) law.Data {
	v := between(r, 200, 350)
	vocabulary := words(r, v)
	base := zipf(v, uniform(r, 0.7, 1), 3)
	middle, width, height := uniforms(r, v, -0.3, 1.3), uniforms(r, v, 0.25, 0.7), uniforms(r, v, 0, 2)
	data := law.Data{Texts: make([]string, n)}
	w := make([]float64, v)
	for i := range data.Texts {
		t := r.Float64()
		for j := range w {
			d := (t - middle[j]) / width[j]
			w[j] = base[j] * math.Exp(height[j]*math.Exp(-d*d/2))
		}
		data.Texts[i] = prose(r, wordsOf(r, vocabulary, newSampler(w), textLength(r, 30, 80)), true)
	}
	return data
}

// drawWordChain follows each word by one of its few successors, or starts afresh.
func drawWordChain(r *rand.Rand, n int) law.Data {
	v := between(r, 200, 400)
	vocabulary := words(r, v)
	base := newSampler(zipf(v, uniform(r, 0.7, 1), 3))
	next := make([][]int, v)
	for j := range next {
		next[j] = make([]int, 6)
		for s := range next[j] {
			next[j][s] = base.draw(r)
		}
	}
	fresh := uniform(r, 0.35, 0.6)
	data := law.Data{Texts: make([]string, n)}
	for i := range data.Texts {
		list := make([]string, textLength(r, 30, 80))
		at := base.draw(r)
		for w := range list {
			list[w] = vocabulary[at]
			if bernoulli(r, fresh) {
				at = base.draw(r)
			} else {
				at = next[at][r.IntN(6)]
			}
		}
		data.Texts[i] = prose(r, list, true)
	}
	return data
}

func drawZipf(r *rand.Rand, n int) law.Data {
	vocabulary := words(r, between(r, 300, 600))
	s := newSampler(zipf(len(vocabulary), uniform(r, 0.9, 1.3), uniform(r, 0, 5)))
	data := law.Data{Texts: make([]string, n)}
	for i := range data.Texts {
		data.Texts[i] = prose(r, wordsOf(r, vocabulary, s, textLength(r, 8, 150)), false)
	}
	return data
}
