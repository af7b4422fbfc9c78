package machines

import (
	"math/rand/v2"
	"strings"
)

// commonWords are frequent words of English, the most frequent first.
var commonWords = strings.Fields(`the of and to a in is for on that with as was by at be from it this are
an or have has had not were which but will we can been all one their there more when also other into after
first than some time only over new most may its would about two between during before no if out up such where
each they very while under made part long same since through both these many then now year day week still well
being must even own high small large last early late near next second full open given known used shown found
several often almost within without against another however around across because per less few again once here
every back down off right left set take taken give seen left side end start place case point number line work
way hand name list change need show run keep call ask turn move help begin follow hold bring write include`)

// themes are words of subjects, as a newspaper's desks or a shop's shelves have them.
var themes = [][]string{
	strings.Fields(`bank interest loan market shares bond investors profit inflation credit dividend currency
		earnings budget deficit tax broker stocks equity debt fund mortgage yield exchange merger audit revenue
		quarter forecast pension insurer default liquidity margin treasury assets capital trading portfolio`),
	strings.Fields(`match goal striker league coach season player team defender stadium referee penalty cup
		transfer midfield keeper tournament final fans injury squad score victory defeat champion medal race
		sprint relay captain training fixture draw substitute header corner tackle kick club supporters`),
	strings.Fields(`patient hospital doctor nurse dose trial symptoms vaccine infection surgery clinic disease
		treatment tumour therapy diagnosis blood virus chronic cardiac lung fever antibody ward screening pain
		relapse insulin placebo scan tissue bone kidney liver allergy recovery physician antibiotic remission`),
	strings.Fields(`minister parliament vote election party senate bill law campaign coalition cabinet ballot
		opposition candidate reform policy treaty embassy sanctions diplomat mayor council referendum debate
		constitution amendment lobby protest premier legislation voter poll speech resignation veto majority`),
	strings.Fields(`rain storm wind snow forecasters temperature cloud flood drought humidity thunder frost
		pressure gust heatwave coast inland sunny shower mist hail breeze degrees chill barometer ice thaw
		lightning drizzle fog cyclone hurricane tide sleet overcast visibility climate monsoon dew`),
	strings.Fields(`software server network password laptop browser database update screen printer login email
		router backup virus-scan install driver cloud-drive account file folder update-pack reboot licence cable
		keyboard monitor wifi disk crash error version plugin token session cursor desktop script`),
	strings.Fields(`butter flour oven sugar onion garlic simmer sauce recipe pepper chicken lemon bake dough
		tomato olive vinegar whisk cream cheese basil roast fry grill boil salt spoon bowl pastry herbs rice
		noodles mushroom soup stew honey ginger cinnamon yeast broth`),
	strings.Fields(`hotel flight airport beach tourist island cruise museum passport luggage resort train ferry
		guide itinerary booking souvenir harbour castle mountain trail hostel cathedral village landscape map
		journey ticket terrace sunset lagoon visa departure arrival suitcase cabin sightseeing excursion`),
	strings.Fields(`bearing pump valve motor gearbox shaft coupling leak seal lubrication grease vibration
		impeller filter hydraulic compressor belt spindle rotor stator conveyor gasket piston flange bolt torque
		alignment overheating corrosion hose actuator cylinder nozzle fan chain sprocket bushing turbine`),
	strings.Fields(`court judge jury verdict appeal lawyer witness trial-date sentence prosecutor defendant
		evidence testimony bail charges fraud robbery police arrest detective warrant prison custody hearing
		lawsuit damages plaintiff settlement barrister plea guilty acquitted parole conviction oath tribunal`),
}

// coinWords makes k pronounceable words that no dictionary has, all different.
func coinWords(r *rand.Rand, k int) []string {
	heads := strings.Fields("b br c cl d dr f fl g gr h j k l m n p pl pr qu r s sh sl st t th tr v w z")
	vowels := strings.Fields("a e i o u ai ea io ou ee a e i o")
	tails := strings.Fields("n r l s t m d nd rt st ck lm x p")
	seen := map[string]bool{}
	words := make([]string, 0, k)
	for len(words) < k {
		var b strings.Builder
		for range between(r, 2, 3) {
			b.WriteString(heads[r.IntN(len(heads))])
			b.WriteString(vowels[r.IntN(len(vowels))])
		}
		if coin(r, 0.6) {
			b.WriteString(tails[r.IntN(len(tails))])
		}
		if w := b.String(); !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	return words
}

// lexicon is words with the weights of their use.
type lexicon struct {
	words []string
	wheel wheel
}

// newLexicon is the lexicon of words and weights.
func newLexicon(words []string, weights []float64) lexicon {
	return lexicon{words: words, wheel: newWheel(weights)}
}

// ranked is a lexicon of Zipf weights, the words in the order given.
func ranked(words []string, slope float64) lexicon {
	return newLexicon(words, zipf(len(words), slope, 2))
}

// reranked is a lexicon of Zipf weights, the words in random order.
func reranked(r *rand.Rand, words []string, slope float64) lexicon {
	own := append([]string(nil), words...)
	r.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
	return ranked(own, slope)
}

// draw is a word.
func (l lexicon) draw(r *rand.Rand) string { return l.words[l.wheel.draw(r)] }

// some is k words.
func (l lexicon) some(r *rand.Rand, k int) []string {
	words := make([]string, k)
	for i := range words {
		words[i] = l.draw(r)
	}
	return words
}

// blend is k words, each from own with probability part, else from rest.
func blend(r *rand.Rand, own, rest lexicon, part float64, k int) []string {
	words := make([]string, k)
	for i := range words {
		if coin(r, part) {
			words[i] = own.draw(r)
		} else {
			words[i] = rest.draw(r)
		}
	}
	return words
}

// background is a lexicon of common English words and coined rare ones.
func background(r *rand.Rand, coined int) lexicon {
	words := append(append([]string(nil), unique(commonWords)...), coinWords(r, coined)...)
	return ranked(words, uniform(r, 0.95, 1.1))
}

// unique drops repeated words.
func unique(words []string) []string {
	seen := map[string]bool{}
	var kept []string
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			kept = append(kept, w)
		}
	}
	return kept
}

// capital writes the first letter large.
func capital(word string) string {
	if word == "" {
		return word
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// prose writes words as sentences of 6 to 15 words.
func prose(r *rand.Rand, words []string) string {
	var b strings.Builder
	for at := 0; at < len(words); {
		size := min(between(r, 6, 15), len(words)-at)
		if at > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(sentence(r, words[at:at+size]))
		at += size
	}
	return b.String()
}

// sentence writes words with a capital, now and then a comma, and a full stop.
func sentence(r *rand.Rand, words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i == 0 {
			w = capital(w)
		} else {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		if i > 1 && i < len(words)-2 && coin(r, 0.05) {
			b.WriteByte(',')
		}
	}
	b.WriteByte('.')
	return b.String()
}

// documentLength is a log-normal number of words between lo and hi.
func documentLength(r *rand.Rand, median, sigma float64, lo, hi int) int {
	return min(max(int(median*logNormal(r, 0, sigma)), lo), hi)
}

// urn is k words of Pólya's urn, a Dirichlet compound multinomial: every word drawn
// is put back with another like it; strength is the number of words that the urn
// holds at first.
func urn(r *rand.Rand, base func() string, strength float64, k int) []string {
	words := make([]string, k)
	for i := range words {
		if coin(r, strength/(strength+float64(i))) {
			words[i] = base()
		} else {
			words[i] = words[r.IntN(i)]
		}
	}
	return words
}
