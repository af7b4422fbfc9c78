package verdict

import (
	"fmt"
	"math"
)

// Words are the nouns of the sentences; zero values mean records and features.
type Words struct {
	Records  string // "patients"
	Features string // "diagnoses"
}

func (w Words) filled(presence bool) Words {
	if w.Records == "" {
		w.Records = "records"
	}
	if w.Features == "" {
		w.Features = "features"
		if !presence {
			w.Features = "answers"
		}
	}
	return w
}

// capital returns a word that begins a sentence.
func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// reason says why in one or two plain sentences.
func (v *Verdict) reason(c candidate, mostly continuum, w Words, presence bool) string {
	degree := byDegree(c.kind, w, presence)
	if mostly != c.kind {
		degree = fmt.Sprintf("%s lie mostly along one line; there is no gap in it.", capital(w.Records))
	}
	switch {
	case c.groups == 1 && c.repeated != noRepeats && c.kind == none:
		return fmt.Sprintf("No groups: some %s repeat others, and apart from that they do not go together.", w.Features)
	case c.groups == 1 && c.repeated != noRepeats:
		return fmt.Sprintf("%s Some %s repeat others.", degree, w.Features)
	case c.groups == 1:
		return degree
	case c.kind == twoHeaps:
		return fmt.Sprintf("%s lie along one line, in two heaps with a gap between them.", capital(w.Records))
	}
	text := fmt.Sprintf("%s that were kept aside are described better by %d groups than by any one population.", capital(w.Records), c.groups)
	if c.kind != none && c.kind != sameTotal {
		text += " Inside the groups they differ by degree: " + insideWords(c.kind, w, presence) + "."
	}
	return text
}

// byDegree is the sentence of one population.
func byDegree(kind continuum, w Words, presence bool) string {
	switch {
	case kind == amount && presence:
		return fmt.Sprintf("%s differ in how many %s they have, not in which.", capital(w.Records), w.Features)
	case kind == amount:
		return fmt.Sprintf("%s differ in how they tend to answer any question, not in what they think of one.", capital(w.Records))
	case kind == oneTrend:
		return fmt.Sprintf("%s lie along one line; there is no gap in it.", capital(w.Records))
	case kind == bentTrend:
		return fmt.Sprintf("%s lie along one line, and some %s are frequent in its middle; there is no gap in it.", capital(w.Records), w.Features)
	case kind == twoTrends:
		return fmt.Sprintf("%s differ along two lines; there is no gap in them.", capital(w.Records))
	case kind == inSets:
		return fmt.Sprintf("No groups: some %s come in sets, and which of the sets %s have tells nothing of the others.", w.Features, w.Records)
	case kind == sameTotal:
		return fmt.Sprintf("No groups: %s have about the same number of %s, and apart from that these do not go together.", w.Records, w.Features)
	case kind == threeTrends:
		return fmt.Sprintf("%s differ along three lines; there is no gap in them.", capital(w.Records))
	case kind == manyTrends:
		return fmt.Sprintf("%s differ along several lines; there is no gap in them.", capital(w.Records))
	}
	return fmt.Sprintf("No groups: the %s do not go together.", w.Features)
}

func insideWords(kind continuum, w Words, presence bool) string {
	switch {
	case kind == amount && presence:
		return fmt.Sprintf("in how many %s they have", w.Features)
	case kind == amount:
		return "in how they tend to answer any question"
	case kind == oneTrend || kind == bentTrend:
		return "along one line"
	case kind == ownLine:
		return "each along a line of its own"
	case kind == ownLines:
		return "each along two lines of its own"
	}
	return "along two lines"
}

const fewFeatures = 5 // below which the evidence rests on few

// doubts lists what speaks against the claim.
func (v *Verdict) doubts(w Words, few, limit, lost bool) {
	add := func(code, text string, args ...any) {
		v.Against = append(v.Against, Doubt{code, fmt.Sprintf(text, args...)})
	}
	low, high := v.Range[0], v.Range[1]
	switch {
	case lost:
		add(NotRepeated, "There is something beyond that, but two halves of the %s do not agree on it at all: groups cannot be told.", w.Records)
	case high > low && v.Components == low:
		add(MoreOrLess, "Up to %d groups cannot be ruled out.", high)
	case low == 1 && high > 1:
		add(TooFew, "Too few %s to say: anything from 1 to %d groups can be defended.", w.Records, high)
	case low < high:
		add(MoreOrLess, "From %d to %d groups can be defended.", low, high)
	}
	if limit {
		add(AtLimit, "There may be more groups than so few %s can show.", w.Records)
	}
	if v.Groups > 1 && v.Features > 0 && v.Features < fewFeatures {
		add(FewFeatures, "The groups rest on few %s: about %.0f.", w.Features, math.Max(1, math.Round(v.Features)))
	}
	if few {
		add(FewRecords, "The groups rest on few %s: without a hundredth of them the evidence is gone.", w.Records)
	}
}
