package delimited

import "strings"

// Sentences reports lines with blanks between words that happen to have as many
// words each: nothing is named or numbered, and what stands in one place of a
// line stands in others too, or hardly comes again. A table has few values a
// column, or other values in every column.
func (p *Profile) Sentences() bool {
	if p.Header && !p.headedByChance() || p.Quoted {
		return false
	}
	places, values, letters, digits := map[string]int{}, 0, 0, 0
	for i := range p.Columns {
		c := &p.Columns[i]
		if c.Numbers*2 > c.Rows || c.full {
			return false
		}
		for text := range c.sample {
			places[text]++
			values++
			if letters += len(text); strings.ContainsAny(text, "0123456789") {
				digits++
			}
		}
	}
	if len(places) <= answerLevels || letters < 3*values || 4*digits > values {
		return false
	}
	shared := 0
	for _, n := range places {
		if n > 1 {
			shared++
		}
	}
	return 4*shared >= len(places) || 2*values >= p.Rows*len(p.Columns)
}

// headedByChance reports a first line that was taken for a header though its
// words stand below as well.
func (p *Profile) headedByChance() bool {
	n := 0
	for _, name := range p.first {
		for i := range p.Columns {
			if p.Columns[i].sample[name] != nil {
				n++
				break
			}
		}
	}
	return 2*n >= len(p.first)
}
