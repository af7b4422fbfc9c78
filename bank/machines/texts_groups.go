package machines

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/moiety-go/moiety/bank/law"
)

// groupedTexts are the laws of texts with hidden subjects, writers or senders.
func groupedTexts() []law.Law {
	return []law.Law{
		{
			Name: "news of five desks", Kind: law.Texts, Groups: 5, Draw: newsDesks,
			About: "One subject a document: a mixture of unigrams over English words (Nigam et al. 2000). Clear.",
		},
		{
			Name: "short help desk tickets", Kind: law.Texts, Groups: 4, Draw: helpDesk,
			About: "Tickets of 8 to 22 words on four kinds of trouble; short texts carry little (Dirichlet multinomial mixture of short texts: Yin and Wang 2014). Hard.",
		},
		{
			Name: "abstracts of many topics with one ahead", Kind: law.Texts, Groups: 6, Draw: sparseAllocation,
			About: "Latent Dirichlet allocation with a small alpha over made-up words; the group is the topic of the greatest share (Blei, Ng and Jordan 2003). Clear.",
		},
		{
			Name: "topics that come in company", Kind: law.Texts, Groups: 4, Draw: correlatedTopics,
			About: "Correlated topic model: logistic normal shares, topics two by two correlated; the group is the topic ahead (Blei and Lafferty 2007). Hard.",
		},
		{
			Name: "bursty reviews of three goods", Kind: law.Texts, Groups: 3, Draw: burstySubjects,
			About: "A Dirichlet compound multinomial a group: bursts inside a document besides the subject (Elkan 2006). Clear.",
		},
		{
			Name: "unwanted short messages", Kind: law.Texts, Groups: 2, Draw: unwantedMessages,
			About: "About a tenth of phone messages are advertisements of another vocabulary (SMS Spam Collection: Almeida et al. 2011). Clear, uneven.",
		},
		{
			Name: "rare faults in reports with boilerplate", Kind: law.Texts, Groups: 3, Draw: rareFaultReports,
			About: "Maintenance reports with the same boilerplate; wear, leak and electrical fault in 90, 8 and 2 % (technical language processing: Brundage et al. 2021). Clear, very uneven.",
		},
		{
			Name: "two writers of unsigned essays", Kind: law.Texts, Groups: 2, Draw: twoWriters,
			About: "The writers share their subjects and differ in the negative binomial rates of function words (Mosteller and Wallace 1964). Hard.",
		},
		{
			Name: "catalogue lines of eight shelves", Kind: law.Texts, Groups: 8, Draw: catalogueLines,
			About: "Lines of 6 to 11 words, eight subjects of uneven size, one subject a line (Nigam et al. 2000). Clear.",
		},
	}
}

// someThemes is k themes as lexicons, in random order.
func someThemes(r *rand.Rand, k int, slope float64) []lexicon {
	order := r.Perm(len(themes))
	lexicons := make([]lexicon, k)
	for i := range lexicons {
		lexicons[i] = reranked(r, themes[order[i]], slope)
	}
	return lexicons
}

// newsDesks draws articles of one desk each.
func newsDesks(r *rand.Rand, n int) law.Data {
	desks := someThemes(r, 5, 0.9)
	rest := background(r, between(r, 200, 600))
	part := uniform(r, 0.28, 0.42)
	median := uniform(r, 60, 120)
	group := assign(r, n, uneven(r, 5))
	texts := make([]string, n)
	for i, g := range group {
		texts[i] = prose(r, blend(r, desks[g], rest, part, documentLength(r, median, 0.5, 20, 600)))
	}
	return law.Data{Texts: texts, Group: group}
}

// helpDesk draws tickets in lower case without full stops.
func helpDesk(r *rand.Rand, n int) law.Data {
	troubles := []lexicon{
		reranked(r, strings.Fields(`password reset login locked account expired username token signin portal
			credentials authenticator unlock profile access denied`), 0.6),
		reranked(r, strings.Fields(`wifi network slow vpn disconnects router cable internet connection signal
			dropped ping ethernet switch floor speed`), 0.6),
		reranked(r, strings.Fields(`printer paper jam toner scanner tray print queue colour pages driver duplex
			cartridge copier feeder blurry`), 0.6),
		reranked(r, strings.Fields(`invoice billing refund charged subscription payment card receipt discount
			renewal vat order amount cancel twice overcharged`), 0.6),
	}
	rest := ranked(append(strings.Fields(`my is not the please i cannot since help again hello it does to on a
		thanks after today this morning when urgent team working still error tried need user office`),
		coinWords(r, 60)...), 0.8)
	part := uniform(r, 0.16, 0.24)
	group := assign(r, n, uneven(r, 4))
	texts := make([]string, n)
	for i, g := range group {
		texts[i] = strings.Join(blend(r, troubles[g], rest, part, between(r, 8, 22)), " ")
	}
	return law.Data{Texts: texts, Group: group}
}

// coinedTopics is topics over coined words: a few hundred words of which each topic
// prefers some.
func coinedTopics(r *rand.Rand, topics int, sigma float64) []lexicon {
	words := coinWords(r, between(r, 400, 800))
	base := zipf(len(words), uniform(r, 0.8, 1.1), 20)
	lexicons := make([]lexicon, topics)
	for k := range lexicons {
		weights := make([]float64, len(words))
		for j := range weights {
			weights[j] = base[j] * logNormal(r, 0, sigma)
		}
		lexicons[k] = newLexicon(words, weights)
	}
	return lexicons
}

// ahead is the index of the greatest share.
func ahead(shares []float64) int {
	best := 0
	for k, s := range shares {
		if s > shares[best] {
			best = k
		}
	}
	return best
}

// admixture draws words each of a topic of its own.
func admixture(r *rand.Rand, topics []lexicon, shares []float64, size int) []string {
	words := make([]string, size)
	for w := range words {
		words[w] = topics[pick(r, shares)].draw(r)
	}
	return words
}

// sparseAllocation draws abstracts of latent Dirichlet allocation.
func sparseAllocation(r *rand.Rand, n int) law.Data {
	topics := coinedTopics(r, 6, uniform(r, 1.4, 1.8))
	alpha := uniform(r, 0.03, 0.07)
	median := uniform(r, 90, 160)
	group := make([]int, n)
	texts := make([]string, n)
	for i := range texts {
		shares := dirichlet(r, symmetric(6, alpha))
		group[i] = ahead(shares)
		texts[i] = prose(r, admixture(r, topics, shares, documentLength(r, median, 0.4, 30, 500)))
	}
	return law.Data{Texts: texts, Group: group}
}

// correlatedTopics draws documents of a logistic normal with two pairs of topics.
func correlatedTopics(r *rand.Rand, n int) law.Data {
	topics := coinedTopics(r, 4, uniform(r, 1.4, 1.8))
	together := uniform(r, 0.3, 0.5)
	spread := uniform(r, 2, 3)
	root := cholesky([][]float64{
		{1, together, 0, 0}, {together, 1, 0, 0}, {0, 0, 1, together}, {0, 0, together, 1},
	})
	median := uniform(r, 90, 150)
	group := make([]int, n)
	texts := make([]string, n)
	for i := range texts {
		shares := correlated(r, root)
		for k := range shares {
			shares[k] = math.Exp(spread * shares[k])
		}
		share(shares)
		group[i] = ahead(shares)
		texts[i] = prose(r, admixture(r, topics, shares, documentLength(r, median, 0.4, 30, 500)))
	}
	return law.Data{Texts: texts, Group: group}
}

// burstySubjects draws reviews that repeat their own words.
func burstySubjects(r *rand.Rand, n int) law.Data {
	subjects := someThemes(r, 3, 0.7)
	rest := background(r, between(r, 200, 400))
	part := uniform(r, 0.3, 0.4)
	strength := uniform(r, 60, 150)
	median := uniform(r, 60, 110)
	group := assign(r, n, uneven(r, 3))
	texts := make([]string, n)
	for i, g := range group {
		word := func() string { return blend(r, subjects[g], rest, part, 1)[0] }
		texts[i] = prose(r, urn(r, word, strength, documentLength(r, median, 0.4, 25, 400)))
	}
	return law.Data{Texts: texts, Group: group}
}

// unwantedMessages draws phone messages, some of them advertisements.
func unwantedMessages(r *rand.Rand, n int) law.Data {
	private := reranked(r, strings.Fields(`ok lol home later love see you tonight dinner sorry late bus mum
		sleep class meet dont gonna wanna tomorrow coffee work miss ya haha pick going done lunch movie morning
		good night call when where what are u im was just back friend weekend happy birthday`), 0.7)
	advert := reranked(r, strings.Fields(`free prize winner claim txt now urgent guaranteed cash reply stop
		mobile offer ringtone award voucher selected customer 150p box entry weekly bonus camera contact
		landline draw code valid tone subscription chat`), 0.6)
	rest := ranked(append(unique(commonWords)[:80], coinWords(r, 120)...), 0.9)
	part := uniform(r, 0.45, 0.6)
	few := uniform(r, 0.08, 0.14)
	group := assign(r, n, []float64{1 - few, few})
	texts := make([]string, n)
	for i, g := range group {
		if g == 0 {
			texts[i] = strings.Join(blend(r, private, rest, part, documentLength(r, 12, 0.5, 4, 40)), " ")
			continue
		}
		words := blend(r, advert, rest, part, between(r, 14, 26))
		words[0] = strings.ToUpper(words[0])
		texts[i] = strings.Join(words, " ") + "!"
	}
	return law.Data{Texts: texts, Group: group}
}

// rareFaultReports draws reports whose boilerplate drowns the fault.
func rareFaultReports(r *rand.Rand, n int) law.Data {
	faults := []lexicon{
		reranked(r, strings.Fields(`worn play noise replaced greased tightened adjusted backlash scoring
			abrasion clearance squeal shim regreased pitted rubbing`), 0.5),
		reranked(r, strings.Fields(`leak oil puddle seal dripping hose hydraulic gasket level refill drip
			pressure-loss fitting clamp seepage wetness`), 0.5),
		reranked(r, strings.Fields(`fuse tripped relay wiring short-circuit insulation contactor breaker
			terminal voltage cabinet burnt earth phase inverter thermistor`), 0.5),
	}
	rest := background(r, between(r, 80, 200))
	head := sentence(r, rest.some(r, between(r, 9, 14)))
	tail := sentence(r, rest.some(r, between(r, 12, 20)))
	part := uniform(r, 0.35, 0.5)
	group := assign(r, n, rare(r))
	texts := make([]string, n)
	for i, g := range group {
		texts[i] = head + " " + prose(r, blend(r, faults[g], rest, part, between(r, 15, 40))) + " " + tail
	}
	return law.Data{Texts: texts, Group: group}
}

// twoWriters draws essays told apart by little words alone.
func twoWriters(r *rand.Rand, n int) law.Data {
	little := unique(commonWords)[:100]
	content := coinWords(r, between(r, 400, 700))
	base := zipf(len(little), 0.8, 4)
	apart := uniform(r, 0.2, 0.28)
	rate := make([][]float64, 2)
	for g := range rate {
		rate[g] = make([]float64, len(little))
		for j := range little {
			rate[g][j] = base[j] * logNormal(r, 0, apart)
		}
	}
	size := uniforms(r, len(little), 4, 15)
	subject := ranked(content, 0.9)
	median := uniform(r, 140, 240)
	group := assign(r, n, uneven(r, 2))
	texts := make([]string, n)
	for i, g := range group {
		length := float64(documentLength(r, median, 0.3, 80, 700))
		var words []string
		for j, w := range little {
			for range negBin(r, 0.5*length*rate[g][j], size[j]) {
				words = append(words, w)
			}
		}
		words = append(words, urn(r, func() string { return subject.draw(r) }, 150, int(length/2))...)
		r.Shuffle(len(words), func(a, b int) { words[a], words[b] = words[b], words[a] })
		texts[i] = prose(r, words)
	}
	return law.Data{Texts: texts, Group: group}
}

// catalogueLines draws short lines of eight subjects.
func catalogueLines(r *rand.Rand, n int) law.Data {
	shelves := someThemes(r, 8, 0.7)
	rest := ranked(append(unique(commonWords)[:60], coinWords(r, 100)...), 0.9)
	part := uniform(r, 0.4, 0.5)
	group := assign(r, n, uneven(r, 8))
	texts := make([]string, n)
	for i, g := range group {
		texts[i] = capital(strings.Join(blend(r, shelves[g], rest, part, between(r, 6, 11)), " "))
	}
	return law.Data{Texts: texts, Group: group}
}
