// Command experiments reproduces the tables and figures of the papers and
// prints our numbers beside the published ones.
//
//	go run -C experiments . list
//	go run -C experiments . flat
//	go run -C experiments . all [--full] [--charts DIR] [--into ../docs]
//	go run -C experiments . page --into ../docs [BOOK...]
//
// Without --full long sweeps are cut to a few sizes and seeds; --charts draws
// the figures as SVG into a folder. --into ../docs writes the page: the figures go to
// docs/results.json, the summary made of them into docs/results.md, the tables into
// experiments/tables.md; what was not run keeps its figures of before. --book FILE
// writes the figures alone, which "page" joins: so parts can run beside each other,
// on other machines. Experiments on real data look in
// $MOIETY_DATA, or in shared/data beside the repository, and are skipped by
// name where a data set is missing.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/moiety-go/moiety/experiments/addeddocuments"
	"github.com/moiety-go/moiety/experiments/bernoullitrees"
	"github.com/moiety-go/moiety/experiments/beyond"
	"github.com/moiety-go/moiety/experiments/counterexample"
	"github.com/moiety-go/moiety/experiments/coverage"
	"github.com/moiety-go/moiety/experiments/divina"
	"github.com/moiety-go/moiety/experiments/flat"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/experiments/ldak2"
	"github.com/moiety-go/moiety/experiments/nips"
	"github.com/moiety-go/moiety/experiments/overcomplete"
	"github.com/moiety-go/moiety/experiments/patients"
	"github.com/moiety-go/moiety/experiments/privacy"
	"github.com/moiety-go/moiety/experiments/realizable"
	"github.com/moiety-go/moiety/experiments/slices"
	"github.com/moiety-go/moiety/experiments/sotu"
	"github.com/moiety-go/moiety/experiments/svtdfails"
	"github.com/moiety-go/moiety/experiments/synthetictest"
	"github.com/moiety-go/moiety/experiments/topictree"
	"github.com/moiety-go/moiety/experiments/twoviews"
	"github.com/moiety-go/moiety/experiments/verdict"
)

// experiment is one of the list.
type experiment struct {
	name, what string
	run        func(ctx context.Context, w io.Writer, full bool) error
}

// experiments lists all of them in the order in which all runs them.
var experiments = []experiment{
	{"flat", "Poisson, moment estimators and LDA ([T] Fig. 2.1, 3.1)", flat.Run},
	{"bernoulli-n", "presences with all baselines, by records ([T] Fig. 4.1 left, 4.2)", flat.BernoulliRecords},
	{"bernoulli-k", "the same by groups ([T] Fig. 4.1 middle, 4.2)", flat.BernoulliGroups},
	{"bernoulli-many", "the same with 24 and 33 groups", flat.BernoulliMany},
	{"bernoulli-d", "the same by features ([T] Fig. 4.1 right, 4.2)", flat.BernoulliFeatures},
	{"tree", "8 hierarchical topics, the tree beside flat methods ([T] Table 5.1, Fig. 5.1)", topictree.Run},
	{"bernoulli-trees", "trees over presences: ARI, stability, unseen records, outcome ([T] Tables 6.1, 6.2)", bernoullitrees.Run},
	{"added-documents", "reconstruction and stability while documents are added ([S] Fig. 2, 3)", addeddocuments.Run},
	{"realizable", "SIDIWO with as many pseudo-centers as topics, and with fewer ([T] Thm 5.3.1, 5.3.2)", realizable.Run},
	{"slices", "SIDIWO's objective: the default beside the papers' ([T] eq. 5.9)", slices.Run},
	{"counterexample", "a whitened tensor without orthogonal decomposition ([H] App. A)", counterexample.Run},
	{"svtd-fails", "no feature tells all components apart ([T] conclusions)", svtdfails.Run},
	{"overcomplete", "four groups in two features by splitting ([T] Fig. 6.5)", overcomplete.Run},
	{"divina", "Divina Commedia: coherence, cantiche, words ([T] Fig. 3.2, 3.3, Table 3.1; [S] Table 1)", divina.Run},
	{"lda-k2", "LDA with two topics on the Divina Commedia ([S] Fig. 4)", ldak2.Run},
	{"sotu", "State of the Union: coherence, presidents, eras ([T] Fig. 3.4, Table 3.2; [S] Table 2)", sotu.Run},
	{"nips", "a tree over NIPS papers and over blog entries ([T] Fig. 5.2, 5.3)", nips.Run},
	{"patients", "hospital stays: stability, a long stay foretold, heart failure in words ([T] Tables 4.1, 6.1, 6.2)", patients.Run},
	{"depth", "stability and a long stay foretold, by the depth of the tree ([T] Fig. 6.1, 6.3)", patients.Depth},
	{"synthetic-test", "can records drawn from a model be told from real ones ([T] conclusions)", synthetictest.Run},
	{"two-views", "alleles and codes that share groups, views that are missing, views that lie ([T] conclusions)", twoviews.Run},
	{"verdict", "how many groups are claimed, of every kind of records and of labelled sets, beside other tools", verdict.Run},
	{"verdict-peers", "the part of it that other tools answer too: one draw of every law, and labelled sets", verdict.Peers},
	{"verdict-cost", "what the verdict costs beside a fit that is told the number", verdict.Cost},
	{"verdict-discrete", "how many groups of presences and answers are claimed, law by law", verdict.Discrete},
	{"verdict-measured", "how many groups of measurements are claimed, and whether that is right", verdict.Measured},
	{"verdict-mixed", "how many groups of records with columns of several kinds are claimed", verdict.MixedColumns},
	{"verdict-counted", "how many groups of counts, genotypes and documents are claimed, and whether that is right", verdict.Counted},
	{"verdict-sequences", "how many states of sequences are claimed, and whether that is right", verdict.Sequences},
	{"verdict-sites", "the verdict by sums that sites come to, beside that of one machine", verdict.Sites},
	{"verdict-green", "what the green light promises: a second sample says the same", verdict.Green},
	{"verdict-fresh", "laws that no constant was chosen on", verdict.Fresh},
	{"verdict-large", "single populations of every kind, 20,000 records and more", verdict.Large},
	{"verdict-wild", "laws of records as they come: tails, halos, limits of detection, rounding, spikes, copies", verdict.Wild},
	{"verdict-odd", "laws of records that nobody had tried: ladders, seasons, families, registers, styles", verdict.Odd},
	{"verdict-few", "genotypes of few people at many loci: trees of populations, admixed people, clines, families", verdict.FewPeople},
	{"verdict-paces", "sequences without states, or with fewer than they seem to have: own paces, wanderings, seasons, stays", verdict.Paces},
	{"verdict-guests", "laws that no rule was made for: packages of codes, nodding, panels, laboratories, paces of sequences", verdict.Guests},
	{"privacy", "what differential privacy costs: groups of presences by ε, records and sites", privacy.Run},
	{"coverage", "what a 95 % interval holds: parameters of latent classes, outcomes by three steps", coverage.Run},
	{"beyond", "genotypes, working lives, votes, animals, flowers, wines, oils, news and blogs, each beside a peer", beyond.Run},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "experiments:", err)
		os.Exit(1)
	}
}

// options are what the command line asks for.
type options struct {
	names              []string
	full               bool
	charts, page, book string
}

func parse(args []string) (options, error) {
	var o options
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--full":
			o.full = true
		case a == "--charts" && i+1 < len(args):
			i++
			o.charts = args[i]
		case a == "--into" && i+1 < len(args):
			i++
			o.page = args[i]
		case a == "--book" && i+1 < len(args):
			i++
			o.book = args[i]
		case strings.HasPrefix(a, "-"):
			return o, fmt.Errorf("unknown option %q; go run -C experiments . NAME [--full] [--charts DIR] [--into ../docs] [--book FILE]", a)
		default:
			o.names = append(o.names, a)
		}
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if len(o.names) == 0 || o.names[0] == "list" {
		for _, e := range experiments {
			fmt.Printf("%-16s %s\n", e.name, e.what)
		}
		return nil
	}
	book := new(lab.Book)
	if o.names[0] == pageVerb {
		for _, path := range o.names[1:] {
			part, err := lab.ReadBook(path)
			if err != nil {
				return err
			}
			for _, e := range part.Experiments {
				book.Put(e)
			}
		}
		return into(o.page, book)
	}
	for _, name := range o.names {
		if err := one(lab.WithCharts(ctx, o.charts), os.Stdout, book, name, o.full); err != nil {
			return err
		}
	}
	if o.book != "" {
		if err := book.Save(o.book); err != nil {
			return err
		}
	}
	if o.page == "" {
		return nil
	}
	return into(o.page, book)
}

// pageVerb makes the page of figures that are there.
const pageVerb = "page"

// one runs the experiment of that name, or all of them, and puts them into the book.
func one(ctx context.Context, w io.Writer, book *lab.Book, name string, full bool) error {
	found := false
	for _, e := range experiments {
		if name != e.name && name != "all" {
			continue
		}
		found = true
		r := lab.NewRecorder(w)
		fmt.Fprintf(r, "# %s: %s\n\n", e.name, e.what)
		seconds, err := lab.Timed(func() error { return e.run(ctx, r, full) })
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		fmt.Fprintf(r, "%s took %s of CPU.\n\n", e.name, lab.Seconds(seconds))
		book.Put(r.Entry(e.name, e.what))
	}
	if !found {
		return fmt.Errorf("unknown experiment %q; go run -C experiments . list names them", name)
	}
	return nil
}
