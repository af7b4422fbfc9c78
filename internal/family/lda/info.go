package lda

import (
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/record"
)

// Info implements family.Family.
func (f *Family) Info() family.Info {
	return family.Info{
		Name: "lda", Group: "topic", Paper: "[T] §3.3", Example: "texts.txt --format lines -k 3",
		Joins:     true,
		Words:     "topics with their own frequencies of words, several topics a document (latent Dirichlet allocation)",
		Unit:      family.Only(family.WordShare),
		For:       []record.Kind{record.Text, record.Counts},
		Soft:      true,
		OwnTensor: f.o.Alpha0 == 0,
		// The most variational steps worth taking from moments (algorithms: LDA, 5 VB
		// steps; these go further, see overRelax), and the gain after which one more is
		// enough: about 0.2 % of perplexity. Documents of the model then take three
		// steps or four, real ones all of them.
		EM:    family.EMHints{Costly: true, Iterations: 8, Tol: 3e-4, Quick: true, OverRelax: f.overRelax, Patience: patience},
		Tree:  family.TreeHints{SplitAs: "single-topic"},
		Extra: map[string]family.Role{Alpha: family.Concentration},
		Settings: []family.Setting{
			family.Weights(),
			{Name: "alpha0", Help: "lda: how mixed documents are, a number or auto (default)"},
			{Name: "inference", Help: "lda: how the topics of each document are inferred: variational (default) or gibbs (sampling, [T] Rem. 3.3.2)", Values: []string{"variational", "gibbs"}},
		},
	}
}
