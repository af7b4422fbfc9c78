package synth

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/moiety-go/moiety/internal/stream"
)

// Article is one text of an example corpus.
type Article struct {
	Title string
	Text  string
	Theme string // the theme that made most of it: the truth
}

// theme is a field of words; things do and have properties.
type theme struct {
	name                  string
	things, doings, looks string
}

// themes are the fields of the example corpus, from word lists of our own.
func themes() []theme {
	return []theme{
		{
			"kitchen",
			"bread dough oven flour butter soup onion garlic pepper knife pan recipe sauce cheese tomato basil lemon stew pasta rice salt sugar spoon bowl crust",
			"bakes boils stirs tastes slices simmers roasts kneads seasons melts chops serves",
			"fresh warm salty sweet crisp golden bitter ripe tender spicy",
		},
		{
			"sea",
			"boat sail harbour wave captain anchor mast rope tide storm island lighthouse crew deck wind coast reef compass fisherman net gull current keel chart",
			"sails drifts steers anchors rows floats sinks crosses tows lands",
			"rough salty calm deep windy distant blue stormy shallow",
		},
		{
			"football",
			"goal keeper ball team coach match referee league penalty striker defender stadium pitch fan season trophy pass corner midfield score whistle captain bench cup",
			"scores passes kicks defends shoots wins loses tackles trains dribbles",
			"offside fast tired unbeaten injured young loud decisive late",
		},
		{
			"stars",
			"star planet telescope galaxy orbit moon comet gravity astronomer nebula dust light lens mirror sky eclipse crater satellite probe spectrum sun universe asteroid rocket",
			"orbits shines collapses expands observes measures glows rotates explodes reflects",
			"bright distant faint dark massive cold visible round ancient",
		},
		{
			"garden",
			"rose soil seed tulip hedge lawn compost root leaf blossom bee shovel greenhouse tree apple branch weed bulb pot gardener worm shade rain fence",
			"grows blooms waters plants digs prunes withers sprouts ripens mows",
			"green shady wet dry thorny tall wild fertile early",
		},
		{
			"money",
			"bank loan interest market share investor price tax budget bond profit debt fund trader currency inflation dividend account credit contract insurance risk stock broker",
			"rises falls lends borrows trades invests pays earns sells owes",
			"risky cheap costly yearly steady public private global stable",
		},
		{
			"music",
			"violin piano melody choir orchestra drum guitar concert singer rhythm chord song conductor note flute audience stage trumpet rehearsal string harmony symphony album opera",
			"plays sings rehearses composes tunes conducts records sounds performs listens",
			"loud soft slow lively minor famous solo gentle modern",
		},
		{
			"medicine",
			"doctor patient nurse fever pain drug hospital heart lung blood surgery wound dose symptom clinic virus vaccine kidney fracture pulse therapy diagnosis infection muscle",
			"heals treats examines coughs bleeds recovers prescribes suffers rests breathes",
			"sick acute chronic mild severe sterile painful weak healthy",
		},
	}
}

// glue are words that every text has, and that no theme owns.
const glue = "people time year day place house story town world thing hand way word morning evening friend letter question number part"

// Articles makes a corpus of short English texts: most of a text is on one
// theme, a little on another. The seed changes how frequent the themes and
// their words are, and everything by chance.
func Articles(seed uint64, n int) []Article {
	r := stream.New(seed, "synth/articles")
	all := themes()
	weights := make([]float64, len(all))
	writers := make([]*writer, len(all))
	for j, t := range all {
		weights[j] = math.Exp(0.4 * r.NormFloat64())
		writers[j] = newWriter(r, t)
	}
	out := make([]Article, n)
	for i := range out {
		j := pickWeighted(r, weights)
		other := pickWeighted(r, weights)
		out[i] = article(r, writers[j], writers[other])
		out[i].Theme = all[j].name
	}
	return out
}

// writer writes on one theme, with its own favourite words.
type writer struct {
	things, doings, looks favourites
	glue                  favourites
}

// favourites are words with the chance of each.
type favourites struct {
	words  []string
	weight []float64
}

func newFavourites(r *rand.Rand, text string) favourites {
	f := favourites{words: strings.Fields(text)}
	r.Shuffle(len(f.words), func(i, j int) { f.words[i], f.words[j] = f.words[j], f.words[i] })
	for i := range f.words {
		f.weight = append(f.weight, 1/math.Sqrt(float64(i+1)))
	}
	return f
}

func (f favourites) pick(r *rand.Rand) string { return f.words[pickWeighted(r, f.weight)] }

func newWriter(r *rand.Rand, t theme) *writer {
	return &writer{newFavourites(r, t.things), newFavourites(r, t.doings), newFavourites(r, t.looks), newFavourites(r, glue)}
}

// thing picks a noun, now and then one that every text has.
func (w *writer) thing(r *rand.Rand) string {
	if r.Float64() < .2 {
		return w.glue.pick(r)
	}
	return w.things.pick(r)
}

// sentence writes one sentence of a few patterns.
func (w *writer) sentence(r *rand.Rand) string {
	a, b, c, d := w.thing(r), w.thing(r), w.thing(r), w.thing(r)
	do := w.doings.pick(r)
	look := ""
	if r.Float64() < .5 {
		look = w.looks.pick(r) + " "
	}
	var s string
	switch r.IntN(5) {
	case 0:
		s = "The " + look + a + " " + do + " between the " + b + " and the " + c + ", not far from the " + d
	case 1:
		s = "A " + a + " " + do + " when the " + b + " and the " + look + c + " are with the " + d
	case 2:
		s = "It is the " + a + " of the " + b + " that " + do + ", and not the " + look + c + " or the " + d
	case 3:
		s = "After the " + a + " and the " + b + " the " + look + c + " " + do + " as a " + d + " does"
	default:
		s = "There was a " + a + " by the " + b + ", and so the " + look + c + " " + do + " like the " + d
	}
	return s + "."
}

// article writes a text of several sentences.
func article(r *rand.Rand, main, aside *writer) Article {
	sentences := 4 + Poisson(r, 5)
	parts := make([]string, sentences)
	for i := range parts {
		w := main
		if r.Float64() < .08 {
			w = aside
		}
		parts[i] = w.sentence(r)
	}
	title := "The " + main.looks.pick(r) + " " + main.things.pick(r)
	return Article{Title: title, Text: strings.Join(parts, " ")}
}
