package report

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/moiety-go/moiety/warn"
)

// Version is the version of the Report's JSON form.
const Version = 1

// Report is everything a page shows of a fit. It is immutable.
type Report struct {
	Version int  `json:"version" gate:"form"`
	Ring    Ring `json:"ring"` // for whom it is
	// Language is that of its sentences; "" is English.
	Language string  `json:"-"`
	Shape    Shape   `json:"shape"`
	Unit     Unit    `json:"unit"`
	Soft     bool    `json:"soft"`                  // a record has a share in every group (LDA)
	Lambda   float64 `json:"lambda" gate:"setting"` // weight of frequency in relevance
	// Limit is the least count of records that may be read, 0 where all may.
	Limit int `json:"limit" gate:"setting"`
	// Rounded is the least that counts are rounded to, 0 where they are exact.
	Rounded int  `json:"rounded" gate:"setting"`
	Data    Data `json:"data"`
	Fit     Fit  `json:"fit"`
	// Claim is how many groups there are and how sure that is, nil where the
	// number was asked for.
	Claim *Claim `json:"claim"`
	// Summary is the whole story in a few sentences, Next what to do now.
	Next    []string `json:"next"`
	Summary []string `json:"summary"`
	// Groups are those of a flat fit by falling weight, or all nodes of a tree,
	// every parent before its children, or the states of a hidden Markov model.
	Groups []Group `json:"groups"`
	// Leaves are the places in Groups of the groups proper, by falling weight:
	// all of a flat fit, the leaves of a tree.
	Leaves   []int          `json:"leaves" gate:"index"`
	Overall  []Feature      `json:"overall"` // most frequent features of all records
	Warnings []warn.Warning `json:"warnings" gate:"words"`
	Methods  string         `json:"methods"` // a paragraph for a paper
	Glossary []Term         `json:"glossary"`
	// Sides are the side columns by group: what else is known of the records put
	// into each. Nil of sequences and topics that mix, and where the report is to
	// be shared.
	Sides []SideColumn `json:"sides"`
	// Distal are side columns by latent class, by three steps, where they were
	// asked for.
	Distal []Distal `json:"distal"`
	// Trends tell how common the groups are over time (--time) and, of texts, by
	// other side columns (--label). Nil where the report is to be shared.
	Trends []Trend `json:"trends"`
	// Courses are kinds of sequences, where they were asked for and may be reported.
	Courses []Course `json:"courses"`
	// Inference says how far the parameters of latent classes can be trusted;
	// nil of other models, of trees, and where the report is to be shared.
	Inference *Inference `json:"inference"`
	Table     Table      `json:"-"` // whole tables, for writers
}

// Shape says what the groups form.
type Shape string

// Shapes.
const (
	Flat   Shape = "flat"
	Tree   Shape = "tree"
	States Shape = "states"
)

// Unit is the word for one record and for many: "patient", "patients".
type Unit struct {
	One  string `json:"one"`
	Many string `json:"many"`
	// Feature and Features are the words for features: "diagnosis", "diagnoses".
	Feature  string `json:"feature"`
	Features string `json:"features"`
}

// Counted is the word for all that is counted in a record, of which a feature has a
// share: its words, its diagnoses, or plainly its counts.
func (u Unit) Counted() string {
	if u.Feature == "feature" {
		return "counts"
	}
	return u.Features
}

// Data holds the facts of the data as read.
type Data struct {
	Records  Count  `json:"records"`
	Rows     Count  `json:"rows"` // steps, where records are sequences; else as Records
	Features int    `json:"features" gate:"features"`
	Entries  Number `json:"entries"` // features, or words, a record, on average
	Kind     string `json:"kind"`    // "presence", "counts", ...
	System   string `json:"system"`
	Period   string `json:"period"` // first and last date, where a date column was named
	// Files are the names of the files that were read, Date the day of the fit;
	// empty where they are not known or not reported.
	Files  []string `json:"files"`
	Date   string   `json:"date"`
	Health bool     `json:"health"`
	// Read are the records before any was left out, LeftOut those left out, by
	// reason; they are empty where the caller did not tell.
	Read    Count  `json:"read"`
	LeftOut []Part `json:"left_out"`
	Short   Count  `json:"short"` // records with fewer than three features
	Empty   Count  `json:"empty"` // records without features
}

// Part is a count with a name.
type Part struct {
	Name string `json:"name"`
	N    Count  `json:"n"`
}

// Fit holds the facts of the fit.
type Fit struct {
	Model       string          `json:"model"` // the word of the command line
	InWords     string          `json:"in_words"`
	Noun        string          `json:"noun"`                 // what a group is called: "group", "topic" or "state"
	Groups      int             `json:"groups" gate:"groups"` // of a flat fit, or leaves
	Levels      int             `json:"levels" gate:"groups"`
	Settings    json.RawMessage `json:"settings"`
	Seed        uint64          `json:"seed" gate:"setting"`
	Program     string          `json:"program"`
	Fingerprint string          `json:"fingerprint"`
	Iterations  int             `json:"iterations" gate:"steps"`
	Objective   Number          `json:"objective"` // log-likelihood, less constant terms
	// Bound says that Objective is a lower bound of the log-likelihood, which
	// cannot be worked out (LDA).
	Bound bool `json:"bound"`
	// Prior is the weight of the prior in records, 0 for maximum likelihood.
	Prior Number `json:"prior"`
	// Alpha0 says how mixed documents are: the sum of the parameters of the prior
	// of topics that mix.
	Alpha0 Number `json:"alpha0"`
	// Starts are those that maximum likelihood was tried from, Reached how many
	// of them ended at the best maximum; 0 where only one was tried.
	Starts  int `json:"starts" gate:"steps"`
	Reached int `json:"reached" gate:"steps"`
}

// Group is one group in words and numbers.
type Group struct {
	ID       string   `json:"id"`                  // "1", "2", ...; in a tree its path: "1.2"
	Number   int      `json:"number" gate:"index"` // by falling weight, from 1; 0 for inner nodes of a tree
	Name     string   `json:"name"`
	Parent   string   `json:"parent"`
	Children []string `json:"children"`
	Level    int      `json:"level" gate:"groups"` // of a tree: the root's is 0

	N     Count  `json:"n"`     // records; steps for states
	Share Number `json:"share"` // of all records; for LDA of all words
	// Low and High are the ends of the 95 % interval of Share, where it is a
	// parameter of latent classes: the weight of the group, to which records
	// belong in part. Counted is the share of the records put into the group.
	Low     Number `json:"low"`
	High    Number `json:"high"`
	Counted Number `json:"counted"`
	// Document is the share of the average document, of topics that mix.
	Document Number `json:"document"`
	// Alpha is the parameter of the prior of a topic that mixes, Start the chance
	// that a sequence begins in a state.
	Alpha Number `json:"alpha"`
	Start Number `json:"start"`
	Whole bool   `json:"whole"`

	Typical  []Feature `json:"typical"`  // by falling relevance
	Frequent []Feature `json:"frequent"` // by falling share
	Rare     []Feature `json:"rare"`     // much rarer than overall, most telling first
	Measures []Measure `json:"measures"` // real features, most different first
	// Views are the features that mark the group in each view, where records are seen
	// from several.
	Views []ViewMarks `json:"views"`

	Certainty *Certainty  `json:"certainty"`
	Nearest   []Neighbour `json:"nearest"` // nearest first
	Records   []Example   `json:"records"` // representative ones, best first
	Split     *Split      `json:"split"`
	Moves     []Move      `json:"moves"` // states: where to go next, likeliest first
	Wait      *Wait       `json:"wait"`  // states: how long it is to the next step

	// Sureness is that of the split that made the group, or of the claim.
	Sureness Sureness `json:"sureness"`

	Text string `json:"text"` // one honest paragraph
}

// ViewMarks are the features of one view that mark a group, by falling relevance, the
// clear ones only.
type ViewMarks struct {
	View    string    `json:"view"`
	Typical []Feature `json:"typical"`
}

// IsLeaf reports whether the group is a group proper: one of a flat fit, or a
// leaf of a tree.
func (g *Group) IsLeaf() bool { return g.Number > 0 }

// String is the group in a line: "1.2 Heart failure: 593 (9.9 %)".
func (g Group) String() string {
	s := strings.TrimSpace(g.ID + " " + g.Name)
	if !g.N.Masked() {
		s += ": " + g.N.String()
	}
	if share, ok := g.Share.Value(); ok {
		s += " (" + Percent(share) + ")"
	}
	return s
}

// Of says what shares are shares of.
type Of string

// Kinds of shares.
const (
	OfRecords Of = "records" // records that have the feature
	OfWords   Of = "words"   // words, or occurrences, that are this one
	Average   Of = "average" // not a share: the mean a record
	Value     Of = "value"   // a measurement: see Measure
)

// Feature is a feature inside a group.
type Feature struct {
	Index int    `json:"index" gate:"index"` // in the tables, from 0
	Name  string `json:"name"`               // as in the files: "428"
	Title string `json:"title"`              // for people: "Heart failure"
	Short string `json:"short"`              // for names and small pictures: "stroke"
	Of    Of     `json:"of"`

	Count     Count  `json:"count"`   // records with it, or words, in the group
	Out       Count  `json:"out"`     // of so many: records of the group that could have it, or its words
	Share     Number `json:"share"`   // the probability in a class or a topic, Count/Out elsewhere, or the average
	Counted   Number `json:"counted"` // Count/Out: the share of the records put into the group
	Overall   Number `json:"overall"` // the same over all records
	Ratio     Number `json:"ratio"`   // Share/Overall
	Low       Number `json:"low"`     // 95 % interval of Share: of a class's own probability, or of a counted share (Wilson)
	High      Number `json:"high"`
	Relevance Number `json:"relevance"`

	// Clear says that the feature is clearly more frequent here than overall,
	// beyond chance.
	Clear bool `json:"clear"`
	// About says that Overall, and so Ratio and Relevance, is not exact: it is
	// worked out from the counts that may be read.
	About bool `json:"about"`
	// NearlyAll says that so few records lack the feature that the exact number
	// is masked.
	NearlyAll bool `json:"nearly_all"`
}

// Said is what people call the feature, in names, sentences, drawings and tables alike.
func (f *Feature) Said() string { return said(f.Title, f.Short, f.Of) }

// String is the feature in a few words: "Heart failure 88 %", or with an average.
func (f Feature) String() string {
	share, ok := f.Share.Value()
	switch {
	case !ok:
		return f.Said()
	case f.Of == Average:
		return f.Said() + " " + Amount(share)
	}
	return f.Said() + " " + Percent(share)
}

// said is the short title with a capital; words of texts stand as they were written.
func said(title, short string, of Of) string {
	if short == "" || of == OfWords {
		return title
	}
	first, size := utf8.DecodeRuneInString(short)
	return string(unicode.ToUpper(first)) + short[size:]
}

// Measure is a real feature inside a group.
type Measure struct {
	Index      int    `json:"index" gate:"index"`
	Name       string `json:"name"`
	Title      string `json:"title"`
	Out        Count  `json:"out"` // records with a value
	Mean       Number `json:"mean"`
	SD         Number `json:"sd"`
	Overall    Number `json:"overall"`
	OverallSD  Number `json:"overall_sd"`
	Difference Number `json:"difference"` // from the overall mean, in overall standard deviations
}

// Certainty tells how sure the records of a group are.
type Certainty struct {
	Mean     Number `json:"mean"`     // mean probability of the group among its records
	Sure     Number `json:"sure"`     // share of its records above .9
	Doubtful Number `json:"doubtful"` // share below .5
}

// Neighbour is another group that is alike.
type Neighbour struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Distance Number `json:"distance"` // Bhattacharyya distance of the centers
}

// Example is a representative record.
type Example struct {
	Record      int    `json:"record" gate:"records"` // from 0, in input order
	ID          string `json:"id"`
	Probability Number `json:"probability"`
	// Words are those of the record that speak most for the group, for texts.
	Words []string `json:"words"`
	// Text is a part of the text, where texts were kept (--keep-text).
	Text []Piece `json:"text"`
}

// Piece is a piece of a text. Shade says how much it speaks for the group of the
// text: 0 not at all, 3 most.
type Piece struct {
	Text  string `json:"text"`
	Shade int    `json:"shade" gate:"steps"`
}

// Split is the evidence for a split of a node, or against one.
type Split struct {
	Done bool   `json:"done"`
	Why  string `json:"why"` // in words
	// Doubt is the sentence that speaks against the split, or empty. Finer says
	// that it goes beyond the number of groups that the records show, because
	// more were asked for.
	Doubt string `json:"doubt"`
	Finer bool   `json:"finer"`
	// Evidence is how much worse records kept aside are described without the
	// split, in nats, and Error its standard error over records; of a split that
	// was not made, how much better they would be described with it.
	Evidence  Number      `json:"evidence"`
	Error     Number      `json:"error"`
	Gain      Number      `json:"gain"`
	Penalty   Number      `json:"penalty"`
	Gap       Number      `json:"gap"`
	Stability Number      `json:"stability"` // agreement of splits of other samples (adjusted Rand index)
	Sureness  Sureness    `json:"sureness"`  // by the doubts of the verdict, or by the stability
	Separates []Separator `json:"separates"`
}

// Separator is a feature that tells the two children apart.
type Separator struct {
	Index int       `json:"index" gate:"index"`
	Name  string    `json:"name"`
	Title string    `json:"title"`
	Short string    `json:"short"`
	Of    Of        `json:"of"`
	Share [2]Number `json:"share"` // in the first child and in the second; means of real features
}

// Said is what people call the feature.
func (s *Separator) Said() string { return said(s.Title, s.Short, s.Of) }

// Move is a transition of a hidden Markov model.
type Move struct {
	To          string `json:"to"`
	Probability Number `json:"probability"`
}

// Term is a word of the glossary.
type Term struct {
	Word    string `json:"word"`
	Meaning string `json:"meaning"`
}

// Table holds whole tables with masked places left empty. Rows are groups in
// the order of Report.Leaves or Report.Groups, columns features by index: those
// that may be named.
type Table struct {
	Features []int `gate:"index"` // of every column: the feature's place in the vocabulary; nil where all are named
	Names    []string
	Titles   []string
	Shorts   []string // as in Feature.Short
	Of       []Of
	// Centers are the parameters of the model, one row a leaf, and Weights its
	// weights: what centers.csv and weights.csv hold.
	Centers [][]Number
	Weights []Number
	// Of topics, one number a leaf: Words are their shares of all words,
	// Documents those of the average document, Alpha the parameters of the prior
	// where topics mix, which are no shares of anything seen. Weights are the
	// words of topics that mix. Nil where there are none.
	Words, Documents, Alpha []Number
	// Starts are the chances that a sequence begins in each state; nil elsewhere.
	Starts []Number
	// Shares are those of the records, one row for each of Report.Groups;
	// Overall those of all records.
	Shares  [][]Number
	Overall []Number
}

// Said is what people call the feature of a column.
func (t *Table) Said(column int) string {
	short := ""
	if t.Shorts != nil {
		short = t.Shorts[column]
	}
	return said(t.Titles[column], short, t.Of[column])
}

// Feature returns the place in the vocabulary of the feature of a column.
func (t *Table) Feature(column int) int {
	if t.Features == nil {
		return column
	}
	return t.Features[column]
}

// Find returns the group of that id.
func (r *Report) Find(id string) (*Group, bool) {
	for i := range r.Groups {
		if r.Groups[i].ID == id {
			return &r.Groups[i], true
		}
	}
	return nil, false
}

// Leaf returns group proper j, counted from 0 by falling weight.
func (r *Report) Leaf(j int) *Group { return &r.Groups[r.Leaves[j]] }

// Largest returns the group proper of the largest share that is reported; Leaf(0) is
// the one of the largest weight, which is nearly always the same.
func (r *Report) Largest() *Group { return r.extreme(1) }

// Smallest returns the group proper of the smallest share that is reported.
func (r *Report) Smallest() *Group { return r.extreme(-1) }

func (r *Report) extreme(sign float64) *Group {
	best := r.Leaf(0)
	if sign < 0 {
		best = r.Leaf(len(r.Leaves) - 1)
	}
	for j := range r.Leaves {
		g := r.Leaf(j)
		if v, ok := g.Share.Value(); ok && (best.Share.Masked() || sign*v > sign*best.Share.v) {
			best = g
		}
	}
	return best
}
