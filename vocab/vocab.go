// Package vocab holds the features of a data set: their names as read, their
// titles for people, and the columns they belong to. It knows words and codes,
// not probability.
package vocab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// Vocab is the ordered list of features. It is immutable once built.
type Vocab struct {
	Names  []string // feature h as it is written in files: "428", "patient"
	Titles []string // for people: "Heart failure"; nil, or "" where unknown
	// Columns groups consecutive features that belong together: the levels of
	// one question, a code and its parents, the parts of one view. It is nil
	// where every feature stands alone.
	Columns []Column
	// System names the code system: "icd9", "icd10", "text", "" for none.
	System string
}

// Column is a run of features, From to To-1, that share one column.
type Column struct {
	Name     string
	Kind     Kind
	From, To int
}

// Genotypes is the system of loci whose numbers are 0, 1 or 2 copies of an allele.
const Genotypes = "genotypes"

// Text is the system of words of documents.
const Text = "text"

// Kind says how the numbers of a column behave.
type Kind int

// Kinds of columns.
const (
	Presence Kind = iota
	Counts
	Real
	Categorical
)

func (k Kind) String() string {
	return [...]string{"presence", "counts", "real", "categorical"}[k]
}

// New returns a vocabulary of plain names.
func New(names []string) *Vocab { return &Vocab{Names: names} }

// Numbered returns a vocabulary of d features named by their number from 1.
func Numbered(d int) *Vocab {
	names := make([]string, d)
	for h := range names {
		names[h] = fmt.Sprint(h + 1)
	}
	return New(names)
}

// Len returns the number of features.
func (v *Vocab) Len() int { return len(v.Names) }

// Title returns the title of feature h, or its name where it has none.
func (v *Vocab) Title(h int) string {
	if v.Titles != nil && v.Titles[h] != "" {
		return v.Titles[h]
	}
	return v.Names[h]
}

// Index returns a map from name to feature.
func (v *Vocab) Index() map[string]int {
	m := make(map[string]int, len(v.Names))
	for h, name := range v.Names {
		m[name] = h
	}
	return m
}

// Fingerprint identifies the names, their order and their columns: models and
// summaries of different vocabularies must not be mixed.
func (v *Vocab) Fingerprint() string {
	h := sha256.New()
	for _, name := range v.Names {
		fmt.Fprintf(h, "%d:%s\n", len(name), name)
	}
	for _, c := range v.Columns {
		fmt.Fprintf(h, "column %d:%s %s %d %d\n", len(c.Name), c.Name, c.Kind, c.From, c.To)
	}
	io.WriteString(h, v.System)
	return hex.EncodeToString(h.Sum(nil)[:16])
}
