package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/model"
)

// method is one row of "moiety help methods".
type method struct {
	name, paper, words, command string
}

// methodGroup is a part of the list.
type methodGroup struct {
	title string
	list  []method
}

// allMethods lists every method of the papers that can be reached, with the command
// that runs it. A test runs each of the commands.
func allMethods() []methodGroup {
	var flat []method
	for _, m := range fit.Methods() {
		flat = append(flat, method{m.Name, m.Paper, m.Words, "moiety fit patients.csv -k 3 --method " + m.Name + " -o run"})
	}
	return []methodGroup{
		{"Flat models, from moments to groups (--method)", flat},
		{"Their variants", []method{
			{"SIDIWO, the papers' objective", "[T] eq. 5.9, [H] Alg. 1", "the sum of norms over all slices of M3; the default takes squares over the slices seen in the leading subspace, which needs no scan and is no worse on data", "moiety fit patients.csv -k 3 --method sidiwo --slices all -o run"},
			{"ASVTD", "[T] Alg. 2, [P] App. D", "SVTD on raw moments of binary records, then EM", "moiety fit patients.csv -k 3 --method svtd --moments raw -o run"},
			{"moments alone", "[T] ch. 2", "any method without EM after it", "moiety fit patients.csv -k 3 --refine none -o run"},
			{"weights of documents", "[T] Thm 3.2.1, Rem. 3.2.3", "by length, equal, or as three words of each; the default saturates", "moiety fit texts.txt --format lines -k 3 --weights length -o run"},
			{"LDA, α0 given", "[T] Thm 3.3.1, [S] 5", "topics that documents mix; without --alpha0 it is estimated", "moiety fit texts.txt --format lines -k 3 --model lda --alpha0 1 -o run"},
			{"LDA, topics of a document by variational inference", "Blei, Ng and Jordan 2003", "the default: what a document's words tell of its shares, by fixed rounds; the same answer for every seed", "moiety fit texts.txt --format lines -k 3 --model lda --inference variational -o run"},
			{"LDA, topics of a document by Gibbs sampling", "[T] Rem. 3.3.2", "chance goes by the seed and the document's own words", "moiety fit texts.txt --format lines -k 3 --model lda --inference gibbs -o run"},
			{"binomial, the number of trials unknown", "[L], for k groups", "from the products of different features, which do not hang on it, beside those of a feature with itself", "moiety fit trials.csv -k 3 --model binomial --trials moments -o run"},
		}},
		{"Trees", []method{
			{"default tree", "[T] ch. 5 and 6", "splits of the family, EM after each, stopped by the evidence", "moiety fit patients.csv --leaves 3 -o found"},
			{"SIDIWO tree", "[T] Alg. 4, [H] Alg. 2", "every split by the two pseudo-centers of SIDIWO", "moiety fit texts.txt --format lines --leaves 3 --method sidiwo -o run"},
			{"SIDIWO tree, all slices", "[T] Alg. 3 and 4", "the same with the slices of M3 as they are", "moiety fit texts.txt --format lines --leaves 3 --method sidiwo --slices all -o run"},
			{"SIDIWO tree over several views", "[T] ch. 6", "the moments between views instead of those of a model", "moiety fit views.csv --model multiview --views 'a*:b*:c*' --leaves 3 --method sidiwo -o run"},
			{"D-SIDIWO", "[T] Alg. 5", "no model: raw moments and linear rules; --slices all for the objective as the thesis has it (eq. 6.7)", "moiety fit patients.csv --model none --leaves 3 --refine none -o run"},
			{"D-SIDIWO + EM", "[T] 6.3", "the same, two-component EM after each split", "moiety fit patients.csv --model none --leaves 3 -o run"},
		}},
		{"Models", modelRows()},
		{"Around them", []method{
			{"how many groups", "[T] conclusions", "the verdict, with its reasons", "moiety choose patients.csv"},
			{"bounds on moments and groups", "[T] Thm 2.2.1, 3.2.2, [S], [L]", "how far moments of so many records may be off, what follows for the groups or why nothing does, whether they are unique (Kruskal), the number of trials of counts", "moiety inspect patients.csv --bounds"},
			{"latent tree of features", "[T] conclusions; Choi et al. 2011", "recursive grouping on pair counts: which diagnoses or words come together", "moiety features patients.csv"},
			{"codes and running text in one record", "[T] conclusions", "two sources joined by id: groups that both show, records that lack one, and whether one tells of other records", "moiety convert codes.csv --beside notes.csv --to csv -o both.csv"},
			{"synthetic records", "[T] conclusions", "drawn from a run, with the test that tells them from real ones", "moiety sample found -n 100 -o drawn.csv"},
			{"measures of a run", "[T] 3.4, 4.6, 6.4", "coherence of topics, likelihood, stability of the groups", "moiety eval found"},
		}},
	}
}

// modelRows lists the probability models.
func modelRows() []method {
	var out []method
	for _, info := range model.Infos() {
		out = append(out, method{info.Name, info.Paper, info.Words, "moiety fit " + info.Example + " --model " + info.Name + " -o run"})
	}
	return out
}

// writeMethods prints the list.
func writeMethods(w io.Writer) error {
	var b strings.Builder
	b.WriteString("Every method, the paper it comes from, and the command that runs it.\n")
	for _, g := range allMethods() {
		fmt.Fprintf(&b, "\n%s:\n", g.title)
		for _, m := range g.list {
			fmt.Fprintf(&b, "\n  %s\n", m.name+"  "+m.paper)
			fmt.Fprintf(&b, "      %s\n", wrap(m.words, 94, "      "))
			fmt.Fprintf(&b, "      $ %s\n", m.command)
		}
	}
	b.WriteString(`
Papers: [T] Ruffini, thesis on methods of moments; [H] Hierarchical Methods of
Moments, NIPS 2017; [P] Clustering Patients with Tensor Decomposition, 2017; [S] A
New Spectral Method for Latent Variable Models, arXiv 1612.03409; [L] lecture on the
method of moments and tensor decompositions. What came out of each: docs/results.md.
`)
	_, err := io.WriteString(w, b.String())
	return err
}
