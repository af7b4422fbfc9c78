package explain

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/phrases"
	"github.com/moiety-go/moiety/report"
)

// Bounds of names.
const (
	longestName   = 40  // letters of a name
	longestTopic  = 4   // words of a topic's name
	faintPart     = 0.2 // of the best part's score: what is weaker says nothing
	nameSmoothing = 0.01
	// An absence names a group where so large a share of the siblings have what
	// at most a third as many have here; it counts half of a presence, because
	// people look for what there is.
	leastAbsent   = 0.2
	absentRatio   = 1.0 / 3
	absentWeight  = 0.5
	overallWeight = 0.3 // of the contrast with all records, beside that with the siblings
	deeperWeight  = 0.5 // of what a group further down is called
	noneAtAll     = 0.02
	manySiblings  = 3 // groups of a flat fit from which the others are taken together
)

// namer gives groups names that tell siblings apart: what a group has and its
// siblings have not, or lacks and they have; never what its children are called,
// unless these have nothing in common: then it is one or the other.
// It reads what the report may tell and nothing else.
type namer struct {
	b      *builder
	taken  map[string]bool  // names given, small letters
	parts  map[int][]naming // of every node: what its name says
	tells  [][]naming       // of every node: what features tell of it, whatever others are called, best first
	bare   [][]string       // of every feature: the words that carry what is said of it
	like   map[int][]int8   // of every feature in a name: 1 for features that are alike to it, −1 for others, 0 where nobody asked
	either map[int]bool     // nodes whose parts are said of some of their records each
}

// naming is one part of a name.
type naming struct {
	text    string
	feature int
	score   float64
	absent  bool
	common  float64 // among the groups below: 1 where all have it alike
	how     string  // what is said of the feature: "" that it is there, "no", "rarely", "many", "high" …
}

// newNamer knows the features and the names that were given by hand.
func newNamer(b *builder) *namer {
	n := &namer{
		b: b, taken: make(map[string]bool), parts: make(map[int][]naming), like: make(map[int][]int8), either: make(map[int]bool),
		tells: make([][]naming, b.h.len()), bare: make([][]string, len(b.of)),
	}
	for _, node := range b.nodes() {
		if name := b.s.Names[b.h.ids[node]]; name != "" {
			n.taken[strings.ToLower(name)] = true
			n.parts[node] = []naming{{text: name, feature: -1}}
		}
	}
	eachFeature(b.s.Workers, len(b.listed), func(i int) {
		f := b.listed[i]
		n.bare[f] = bareWords(b.shorts[f])
	})
	return n
}

// names names all groups, children before their parents: what a group has most
// of its own names it, and what its parts have in common is left for the whole.
func (n *namer) names() {
	b := n.b
	nodes := b.nodes()
	for i, node := range slices.Backward(nodes) {
		g := &b.r.Groups[i]
		if g.Name = b.s.Names[g.ID]; g.Name == "" {
			g.Name = n.name(g, node)
			n.taken[strings.ToLower(g.Name)] = true
		}
	}
	for i, node := range nodes {
		if g := &b.r.Groups[i]; b.s.Names[g.ID] == "" {
			g.Name = n.said(g, node)
		}
	}
}

// saidOf are the messages of what is said of a feature.
var saidOf = map[string]string{
	"no": "name.no", "rarely": "name.rarely", "many": "name.many", "high": "name.high", "higher": "name.higher",
	"low": "name.low", "lower": "name.lower", "middling": "name.middling",
}

// said is a name in the language of the report; which name it is does not depend on that.
func (n *namer) said(g *report.Group, node int) string {
	l, unit := n.b.l, n.b.r.Unit
	if l == "" || l == phrases.English {
		return g.Name
	}
	if parts, ok := n.parts[node]; ok {
		said := slices.Clone(parts)
		for i, p := range said {
			if p.how != "" {
				said[i].text = l.Say(saidOf[p.how], n.short(p.feature))
			}
		}
		name := joined(said)
		if n.either[node] {
			name = n.write(said, l.Say("name.or"))
		}
		if !n.b.words() {
			name = sentence(name)
		}
		return name
	}
	switch {
	case g.Whole && g.Parent == "":
		return l.Say("name.all", l.Word(unit.Many))
	case g.N == report.CountOf(0) && !n.b.soft():
		return l.Say("name.empty")
	case g.N.Masked():
		return l.Say("name.withheld", g.ID)
	case g.Name == "Group "+g.ID:
		return l.Say("name.group", g.ID)
	}
	return l.Say("name.none", l.Word(unit.Features))
}

// name returns a name that no other group has.
func (n *namer) name(g *report.Group, node int) string {
	if plain := n.plain(g); plain != "" {
		return n.unique(plain, g.ID)
	}
	list := n.candidates(node)
	if parts := n.oneOrOther(node); len(parts) > 1 && !n.inCommon(list) {
		n.either[node] = true
		if name := n.join(node, parts); !n.taken[strings.ToLower(name)] {
			n.parts[node] = parts
			return name
		}
		n.either[node] = false
	}
	for from := range list {
		parts := n.choose(list[from:])
		if from > 0 && list[from].score < faintPart*list[0].score {
			break
		}
		if name := n.join(node, parts); !n.taken[strings.ToLower(name)] {
			n.parts[node] = parts
			return name
		}
	}
	if name := "No characteristic " + n.b.r.Unit.Features; !n.taken[strings.ToLower(name)] {
		return cutName(name, longestName)
	}
	return "Group " + g.ID
}

// plain is the name of a group that has none of its own.
func (n *namer) plain(g *report.Group) string {
	switch {
	case g.Whole && g.Parent == "":
		return "All " + n.b.r.Unit.Many
	case g.N == report.CountOf(0) && !n.b.soft():
		return "Empty group"
	case g.N.Masked():
		return "Withheld (" + g.ID + ")"
	}
	return ""
}

// unique adds the id to a name that is given already.
func (n *namer) unique(name, id string) string {
	if n.taken[strings.ToLower(name)] {
		return cutName(name, longestName-len(id)-1) + " " + id
	}
	return cutName(name, longestName)
}

// choose takes the best parts that fit into a name and say different things.
func (n *namer) choose(list []naming) []naming {
	most := nameFeatures
	if n.b.words() {
		most = longestTopic
	}
	var out []naming
	for _, p := range list {
		if len(out) > 0 && (p.score < faintPart*list[0].score || p.absent && !out[0].absent && len(out) > 1) {
			break
		}
		if slices.ContainsFunc(out, func(o naming) bool { return n.alike(o, p) }) {
			continue
		}
		if next := append(out[:len(out):len(out)], p); len(out) == 0 || utf8.RuneCountInString(joined(next)) <= longestName {
			out = next
		}
		if len(out) == most {
			break
		}
	}
	return out
}

// join writes parts as a name.
func (n *namer) join(node int, parts []naming) string {
	name := joined(parts)
	if n.either[node] {
		name = n.write(parts, "or")
	}
	name = cutName(name, longestName)
	if n.b.words() {
		return name
	}
	return sentence(name)
}

// joined writes what there is before what there is not: "No coronary disease, heart
// failure" would be read as two things that are missing.
func joined(parts []naming) string {
	parts = slices.Clone(parts)
	falling(parts, func(p naming) float64 {
		if p.absent {
			return 0
		}
		return 1
	})
	words, between := make([]string, len(parts)), ", "
	for i, p := range parts {
		words[i] = p.text
		if len(parts) > 1 && strings.Contains(p.text, ",") {
			between = "; "
		}
	}
	return strings.Join(words, between)
}

// cutName cuts a name at a space.
func cutName(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	cut := string(r[:most-1])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;") + "…"
}

// candidates returns what a node could be called, best first: nothing that one
// of its children is called, and rather not what is below them.
func (n *namer) candidates(node int) []naming {
	b := n.b
	if len(b.h.children[node]) == 0 {
		return n.tells[node]
	}
	var below, deeper []naming
	for _, c := range b.h.children[node] {
		below = append(below, n.parts[c]...)
		b.h.each(c, func(d int) { deeper = append(deeper, n.parts[d]...) })
	}
	ofChildren, ofOthers := n.alikeTo(below), n.alikeTo(deeper)
	var out []naming
	best := 0.0
	for _, p := range n.tells[node] {
		if len(out) > 0 && faint(p, best) {
			break
		}
		if ofChildren(p) {
			continue
		}
		if ofOthers(p) {
			p.score *= deeperWeight
		}
		best = max(best, p.score)
		out = append(out, p)
	}
	n.inOrder(out)
	return out
}

// inOrder sorts what may be in a name by how well it tells, and where that is the same as the
// features are.
func (n *namer) inOrder(list []naming) {
	falling(list, func(p naming) float64 { return -float64(n.b.place[p.feature]) })
	falling(list, score)
}

func score(p naming) float64 { return p.score }

// faint reports what no name takes: a name begins with nothing so much fainter than the best, and
// takes nothing so much fainter than that.
func faint(p naming, best float64) bool { return p.score < faintPart*(faintPart*best) }

// loud is the beginning of a list that is not faint; what tells best comes first.
func loud(list []naming) []naming {
	for i, p := range list {
		if faint(p, list[0].score) {
			return list[:i]
		}
	}
	return list
}

// gather finds what the features, all of them as rank shows them, say of a node that has no
// name yet. It does not depend on what others are called: several nodes may be asked at a time.
func (n *namer) gather(g *report.Group, node int, all []ranked) {
	if n.b.s.Names[g.ID] != "" || n.plain(g) != "" {
		return
	}
	var found []naming
	last, best := len(n.b.h.children[node]) == 0, 0.0
	for _, f := range n.b.listed {
		p, ok := naming{}, false
		switch {
		case n.b.of[f] == report.Value:
			p, ok = n.measured(node, f)
		case len(all) > 0 && all[0].index == n.b.place[f]:
			p, ok = n.tell(node, f, &all[0])
			all = all[1:]
		}
		if !ok {
			continue
		}
		if p.common = 1; !p.absent {
			p.common = n.common(node, f)
			p.score *= p.common
		}
		// Without groups below, whose names it must not have, none is passed over that is
		// fainter than candidates goes: of a long vocabulary most are.
		if last && faint(p, best) {
			continue
		}
		best = max(best, p.score)
		found = append(found, p)
	}
	falling(found, score)
	if last { // its candidates: they hang on no other name
		found = loud(found)
		n.inOrder(found)
	}
	n.tells[node] = found
}

// part says what feature f tells of a node, if it tells anything.
func (n *namer) part(node, f int) (naming, bool) {
	b := n.b
	if b.of[f] == report.Value {
		return n.measured(node, f)
	}
	x, ok := b.feature(node, f)
	if !ok {
		return naming{}, false
	}
	return n.tell(node, f, &x.ranked)
}

// tell is what feature f, which is x there, tells of a node.
func (n *namer) tell(node, f int, x *ranked) (naming, bool) {
	b := n.b
	if math.IsNaN(x.overall) {
		return naming{}, false
	}
	p := naming{text: n.short(f), feature: f}
	rest := n.rest(node, f, x.overall)
	out := b.out(node, f)
	switch b.of[f] {
	case report.OfWords:
		if !(x.share > clearRatio*rest && x.share > x.overall) || x.few {
			return p, false
		}
		p.score = math.Exp(Relevance(b.r.Lambda, x.share, max(rest, x.overall/2)))
		return p, true
	case report.Average:
		p.how, p.text = "many", "many "+p.text
		p.score = x.share / (x.share + x.overall) * math.Log((x.share+nameSmoothing)/(rest+nameSmoothing))
		return p, x.share > clearRatio*rest && (x.share-rest)*math.Sqrt(out) > clearScore*math.Sqrt(max(rest, nameSmoothing)) && !x.few
	}
	low, high := Wilson(x.share*out, out)
	p.score = x.share * (math.Log((x.share+nameSmoothing)/(rest+nameSmoothing)) + overallWeight*max(math.Log((x.share+nameSmoothing)/(x.overall+nameSmoothing)), 0))
	if low > rest && x.share > clearRatio*rest && !x.few {
		return p, true
	}
	if b.question[f] >= 0 || x.nearlyAll || b.r.Shape == report.States {
		return p, false
	}
	p.absent, p.how = true, "no"
	if x.share >= noneAtAll {
		p.how = "rarely"
	}
	p.text = p.how + " " + p.text
	p.score = absentWeight * rest * math.Log((rest+nameSmoothing)/(x.share+nameSmoothing))
	return p, rest >= leastAbsent && x.share <= absentRatio*rest && high < rest
}

// rest returns the share of a feature among the siblings of a node, or among all
// others where it may not be read of one of them.
func (n *namer) rest(node, f int, overall float64) float64 {
	b := n.b
	if up := b.h.parent[node]; up == 0 && len(b.h.children[up]) > manySiblings && b.of[f] != report.Value {
		return n.others(node, f, overall) // the same, without asking all of them
	}
	sum, all := 0.0, 0.0
	for _, s := range n.siblings(node) {
		w := float64(b.c.n[s])
		if j := b.number(s); b.soft() && j >= 0 {
			w = b.params.Weights[j]
		}
		if w == 0 {
			continue
		}
		v, ok := b.value(s, f)
		if !ok {
			return n.others(node, f, overall)
		}
		sum += w * v
		all += w
	}
	if all == 0 {
		return overall
	}
	return sum / all
}

// others returns the share of a feature among all records that are not in a
// node, by what may be read.
func (n *namer) others(node, f int, overall float64) float64 {
	b := n.b
	here, ok := b.value(node, f)
	in, out := b.out(node, f), b.out(0, f)
	if j := b.number(node); b.soft() && j >= 0 {
		in, out = b.params.Weights[j], 1
	}
	if !ok || b.of[f] == report.Value || out <= in {
		return overall
	}
	return max(overall*out-here*in, 0) / (out - in)
}

// siblings returns the other groups below the same parent.
func (n *namer) siblings(node int) []int {
	up := n.b.h.parent[node]
	if up < 0 {
		return nil
	}
	var out []int
	for _, s := range n.b.h.children[up] {
		if s != node && n.b.open.sizeOpen(s) {
			out = append(out, s)
		}
	}
	return out
}

// measured says that a mean is high or low beside the siblings', or between
// those of two of them.
func (n *namer) measured(node, f int) (naming, bool) {
	b := n.b
	mean, ok := b.value(node, f)
	if !ok || b.c.square == nil || !b.open.cellOpen(0, f) {
		return naming{}, false
	}
	all, spread := b.c.deviation(0, f)
	if !(spread > 0) {
		return naming{}, false
	}
	d := (mean - n.rest(node, f, all)) / spread
	below, above := false, false
	for _, s := range n.siblings(node) {
		if v, ok := b.value(s, f); ok {
			below = below || v < mean-clearDifference*spread
			above = above || v > mean+clearDifference*spread
		}
	}
	p := naming{feature: f, score: math.Abs(d) / 2}
	switch {
	case below && above:
		p.how, p.score = "middling", clearDifference/2
	case math.Abs(d) > clearDifference && b.h.parent[node] > 0:
		p.how = level(d) + "er" // than the sibling
	case math.Abs(d) > clearDifference:
		p.how = level(d)
	default:
		return p, false
	}
	p.text = p.how + " " + n.short(f)
	return p, true
}

// short is what people call a feature.
func (n *namer) short(f int) string { return n.b.short(f) }

// short returns the short title of a feature: of a code, what a ward says.
func (b *builder) short(f int) string {
	if b.shorts == nil {
		b.shorten()
	}
	return b.shorts[f]
}

// shorten finds the short titles of all features.
func (b *builder) shorten() {
	b.shorts = make([]string, len(b.of))
	const part = 64
	b.sideBySide((len(b.of)+part-1)/part, func(p int) {
		for f := p * part; f < min((p+1)*part, len(b.of)); f++ {
			b.shorts[f] = b.shortened(f)
		}
	})
}

func (b *builder) shortened(f int) string {
	v := b.d.vocab
	title := v.Title(f)
	switch {
	case isSaid(v.System, v.Names[f], title):
		return codes.Short(title)
	case b.words():
		return title
	}
	return spaced(title)
}

// called is the short title of a feature, with its code where another of the features that
// are reported has the same: one name is of one thing.
func (b *builder) called(f int) string {
	if b.calls == nil {
		b.call()
	}
	return b.calls[f]
}

// call finds what all features are called.
func (b *builder) call() {
	twice := make(map[string]int, len(b.listed)) // of those that are reported
	for _, f := range b.listed {
		twice[b.short(f)]++
	}
	b.calls = make([]string, len(b.of))
	for f := range b.calls {
		if b.calls[f] = b.short(f); twice[b.calls[f]] > 1 {
			b.calls[f] += " (" + b.d.vocab.Names[f] + ")"
		}
	}
}

// isSaid reports that a title is of a diagnosis, for which a ward has other words.
func isSaid(system, name, title string) bool {
	return strings.HasPrefix(system, "icd") && title != "" && title != name
}

// Said is what people call a feature of a system of codes, before anything is fitted as in
// the report that follows (report.Feature.Said).
func Said(system, name, title string) string {
	switch {
	case isSaid(system, name, title):
		return sentence(codes.Short(title))
	case title != "":
		return title
	}
	return name
}

// spaced writes the points and low lines between the words of a column's name
// as spaces: "Petal.Length".
func spaced(s string) string {
	r := []rune(s)
	letter := func(i int) bool {
		return i >= 0 && i < len(r) && (r[i] >= 'a' && r[i] <= 'z' || r[i] >= 'A' && r[i] <= 'Z')
	}
	for i := range r {
		if (r[i] == '_' || r[i] == '.') && letter(i-1) && letter(i+1) {
			r[i] = ' '
		}
	}
	return string(r)
}
