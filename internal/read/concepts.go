package read

import (
	"context"

	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// conceptNamed adds the names of concepts to a dump of OMOP: those of the table
// CONCEPT that lies beside it, as vocabularies are handed out.
type conceptNamed struct {
	record.Source
	concepts source.Input
	problems *record.Problems
}

// withConcepts finds the table of concepts; without one the ids stay as they are.
func withConcepts(s record.Source, in source.Input, p *record.Problems) record.Source {
	concepts, ok := in.Beside("CONCEPT.csv", "concept.csv", "CONCEPT.tsv", "concept.tsv")
	if !ok || s.Schema().Dict == nil {
		return s
	}
	return &conceptNamed{s, concepts, p}
}

// Read implements record.Source.
func (c *conceptNamed) Read(ctx context.Context, yield func(*record.Batch) error) error {
	if err := c.Source.Read(ctx, yield); err != nil || c.Schema().Titles != nil {
		return err
	}
	text, err := c.concepts.Text(ctx, nil)
	if err != nil {
		return err
	}
	defer text.Close()
	dict := c.Schema().Dict
	titles, err := codes.ReadConcepts(text, func(id string) bool { _, ok := dict.Find(id); return ok })
	if err != nil {
		c.problems.Note("%s names no concepts: %v", c.concepts.Name, err)
		return nil
	}
	c.Schema().Titles = titles
	c.problems.Note("%d of %d concepts have a name in %s", len(titles), dict.Len(), c.concepts.Base())
	return nil
}
