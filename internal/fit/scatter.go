package fit

import (
	"context"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/warn"
)

// scatters reports that counts of one group each may scatter more than chance, and that
// nobody asked for a way to learn that takes them as they are. The model is chosen.
func (s Settings) scatters(data Training) bool {
	return singly(s.Spec) && !data.documents() && (s.Method == "" || s.Method == "auto") && s.Refine != None && s.Prior >= 0
}

// singly reports the model of counts in which a record is of one group.
func singly(s model.Spec) bool {
	info, ok := s.Info()
	return ok && !info.Soft && info.Is(family.WordShare)
}

// fromFound begins from groups that were found in some of the records: the moments of
// counts that scatter are not those of their groups.
func fromFound(ctx context.Context, fam family.Family, data Training, s Settings, found *verdict.Found) (*start, error) {
	labels, err := placedIn(ctx, data, found)
	if err != nil {
		return nil, err
	}
	p, err := partitioned(ctx, fam, data, s, nil, s.K, labels)
	return &start{cut: true, candidates: []mixture.Params{p}, warnings: scatterWords(s.Spec)}, err
}

// scatterWords says that counts weigh what their scatter leaves them.
func scatterWords(s model.Spec) []warn.Warning {
	if s.Calm == nil || !singly(s) {
		return nil
	}
	return []warn.Warning{warn.New(warn.Note, "scatter", "",
		"Counts of one group scatter more than chance would make them: groups are told apart by counts of which those of frequent features weigh less; shares are of the counts as they are.")}
}
