package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/model"
)

// learning are the flags that say what to learn and how.
type learning struct {
	s     fit.Settings
	flags *pflag.FlagSet
	own   []own
	prior string
	views string
}

// own is a flag that is a setting of some models.
type own struct {
	family.Setting
	word *string
}

// modelFree is the word for the tree without a model (D-SIDIWO).
const modelFree = "none"

func (l *learning) add(c *cobra.Command) {
	f := c.Flags()
	l.flags = f
	section(c, "Flags")
	f.IntVarP(&l.s.K, "groups", "k", 0, "a flat model with this many groups")
	f.BoolVar(&l.s.Over, "tree", false, "with -k: join the groups into a tree, the nearest first (no verdict; also for sites that join)")
	f.IntVar(&l.s.Courses, "courses", 0, "sequences: tell this many kinds of them by how they pass through the states")
	f.IntVar(&l.s.Tree.Leaves, "leaves", 0, "a tree with this many groups at its ends")
	f.IntVar(&l.s.Tree.Levels, "levels", 0, "a tree with this many levels of splits")
	l.addModel(c)
	f.IntVar(&l.s.Tree.MaxLeaves, "max-leaves", 0, "most groups of a tree without a size")
	f.BoolVar(&l.s.Tree.Cautious, "cautious", false, "keep only splits without a doubt")
	f.StringVar(&l.s.Tree.Stability, "stability", "", "trees: records on which each split is tried again: off, sample (default) or full")
	complete(c, "stability", "off", "sample", "full")
	f.Uint64Var(&l.s.Seed, "seed", 1, "of all random steps")
	section(c, "What to learn, and how")
}

// addModel defines the flags that choose the model and the method.
func (l *learning) addModel(c *cobra.Command) {
	f := c.Flags()
	models := append(append([]string{"auto"}, model.Names()...), modelFree)
	f.StringVar(&l.s.Spec.Model, "model", "auto", strings.Join(models, ", "))
	var methods []string
	for _, m := range fit.Methods() {
		methods = append(methods, m.Name)
	}
	f.StringVar(&l.s.Method, "method", "auto", strings.Join(methods, ", ")+"; \"moiety help methods\" explains them")
	f.StringVar(&l.s.Slices, "slices", "", "--method sidiwo or d-sidiwo, --model none: projected (default), squares over the slices of M3 in the leading subspace, or all, the papers' sum of norms over all slices")
	f.StringVar(&l.s.Refine, "refine", "em", "em or none")
	f.BoolVar(&l.s.Double, "double", false, "sum up in double precision throughout, and judge by sums alone: sites that join then agree with one machine to 1e-9")
	f.Float64Var(&l.s.Privacy.Epsilon, "epsilon", 0, "presences with -k: learn with differential privacy, such as 1; smaller is more private")
	f.Float64Var(&l.s.Privacy.Delta, "delta", 0, "with --epsilon: the chance left out of the promise (1e-6)")
	f.IntVar(&l.s.Privacy.Codes, "most-codes", 0, "with --epsilon: codes of a person that count, the others are cut by chance (10)")
	f.BoolVar(&l.s.Privacy.OwnNoise, "own-noise", false, "with --epsilon, sites that join: each adds as much noise as one alone would, which holds against the coordinator and all other sites too (default: one noise together, behind masks)")
	f.StringVar(&l.prior, "prior", "", "weight of the prior in records: 1 (default), or 0 for maximum likelihood")
	complete(c, "model", models...)
	complete(c, "method", methods...)
	complete(c, "refine", fit.EM, fit.None)
	complete(c, "slices", fit.ProjectedSlices, fit.AllSlices)
	for _, s := range model.Settings() {
		l.own = append(l.own, own{s, f.String(s.Name, "", s.Help)})
		if s.Values != nil {
			complete(c, s.Name, s.Values...)
		}
	}
	f.StringVar(&l.views, "views", "", "multiview: columns of each view, as in 'lab*:dx*:age'")
}

// settings reads the flags' words.
func (l *learning) settings() (s fit.Settings, views []string, err error) {
	s = l.s
	if err := l.sizes(); err != nil {
		return s, nil, err
	}
	sizes := 0
	for _, n := range []int{s.K, s.Tree.Leaves, s.Tree.Levels, s.Tree.MaxLeaves} {
		if n > 0 {
			sizes++
		}
	}
	if sizes > 1 {
		return s, nil, misuse("-k, --leaves, --levels and --max-leaves: choose one of them")
	}
	if err := l.words(&s); err != nil {
		return s, nil, err
	}
	if err := l.privacy(s); err != nil {
		return s, nil, err
	}
	if err := l.likelihood(&s); err != nil {
		return s, nil, err
	}
	if err := l.shape(&s); err != nil {
		return s, nil, err
	}
	if l.views != "" {
		views = strings.Split(l.views, ":")
	}
	if info, _ := s.Spec.Info(); info.Views != (len(views) > 0) {
		return s, nil, misuse("--views and --model multiview go together: write for instance --model multiview --views 'lab*:dx*'")
	}
	return s, views, nil
}

// sizes refuses a number of groups, levels or leaves that is none.
func (l *learning) sizes() error {
	if l.flags == nil { // the verb has no such flags
		return nil
	}
	for _, name := range []string{"groups", "leaves", "levels", "max-leaves"} {
		f := l.flags.Lookup(name)
		if n, err := l.flags.GetInt(name); f.Changed && (err != nil || n < 1) {
			return misuse("%s %d: write 1 or more; leave %s out for as many groups as the records show", flagWord(f), n, flagWord(f))
		}
	}
	return nil
}

// otherNames are what people call models elsewhere.
var otherNames = map[string]string{
	"lca":             "latent class analysis is --model categorical (answers) or bernoulli (yes or no)",
	"latent-class":    "latent class analysis is --model categorical (answers) or bernoulli (yes or no)",
	"polca":           "latent class analysis is --model categorical (answers) or bernoulli (yes or no)",
	"lpa":             "latent profile analysis is --model gaussian",
	"gmm":             "a mixture of normals is --model gaussian",
	"gaussianmixture": "a mixture of normals is --model gaussian",
	"mclust":          "a mixture of normals is --model gaussian",
	"kmeans":          "groups of measurements are --model gaussian --variance shared",
	"k-means":         "groups of measurements are --model gaussian --variance shared",
	"nmf":             "topics of counts are --model lda or single-topic",
	"plsa":            "topics of counts are --model lda or single-topic",
	"admixture":       "populations of genotypes are --model binomial",
}

// words checks the flags that take one of some words.
func (l *learning) words(s *fit.Settings) error {
	if other := otherNames[strings.ToLower(s.Spec.Model)]; other != "" {
		return misuse("--model %s: %s", s.Spec.Model, other)
	}
	for _, err := range []error{
		oneOf("model", s.Spec.Model, append(append([]string{"auto"}, model.Names()...), modelFree)...),
		oneOf("refine", s.Refine, fit.EM, fit.None),
		oneOf("slices", s.Slices, fit.ProjectedSlices, fit.AllSlices),
		oneOf("stability", s.Tree.Stability, "off", "sample", "full"),
	} {
		if err != nil {
			return err
		}
	}
	if err := fit.CheckMethod(s.Method); err != nil {
		return usage{err}
	}
	if s.Slices != "" && s.Method != tree.Sidiwo && s.Method != tree.DSidiwo && s.Spec.Model != modelFree {
		return misuse("--slices is for --method sidiwo or d-sidiwo, or --model none: add one of them, or leave --slices out")
	}
	for _, o := range l.own {
		if o.Values != nil {
			if err := oneOf(o.Name, *o.word, o.Values...); err != nil {
				return err
			}
		}
		if err := s.Spec.Set(o.Name, *o.word); err != nil {
			return misuse("--%s %s: %v", o.Name, *o.word, err)
		}
	}
	return nil
}

// privacy checks the flags of differential privacy.
func (l *learning) privacy(s fit.Settings) error {
	p := s.Privacy
	switch {
	case p == (fit.Privacy{}):
		return nil
	case !(p.Epsilon > 0) || math.IsInf(p.Epsilon, 0):
		return misuse("--epsilon %v: write a number above 0, such as 1; --delta, --most-codes and --own-noise go with it", p.Epsilon)
	case p.Delta < 0 || p.Delta >= .1:
		return misuse("--delta %v: write a small number above 0, such as 1e-6", p.Delta)
	case p.Codes < 0 || p.Codes == 1 || p.Codes == 2:
		return misuse("--most-codes %d: write 3 or more", p.Codes)
	case s.K < 2:
		return misuse("--epsilon is for flat models: say how many groups with -k, 2 or more; the verdict looks at single records")
	}
	return nil
}

// likelihood reads --prior.
func (l *learning) likelihood(s *fit.Settings) error {
	if l.prior == "" {
		return nil
	}
	x, err := strconv.ParseFloat(l.prior, 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 0) {
		return misuse("--prior %s: write how many records the prior is worth, 0 or more; 0 is maximum likelihood", l.prior)
	}
	s.Prior = fit.PriorOf(x)
	return nil
}

// shape turns the model-free tree and the method of trees into settings.
func (l *learning) shape(s *fit.Settings) error {
	if s.K > 0 {
		if s.Spec.Model == modelFree {
			return misuse("--model none is the tree without a model: leave -k out, or choose --leaves")
		}
		if s.Tree.Cautious || s.Tree.Stability != "" {
			return misuse("--cautious and --stability are for trees: leave them or -k out")
		}
		return nil
	}
	if s.Over {
		return misuse("--tree joins the groups of a flat model: say how many with -k; a tree without -k needs no flag")
	}
	if s.Spec.Model == modelFree {
		s.Spec.Model, s.Tree.Free = "auto", true
	}
	if s.Tree.Cautious && (s.Tree.Leaves > 0 || s.Tree.Levels > 0) {
		return misuse("--cautious is for a tree without a size: leave it or the size out")
	}
	switch {
	case s.Method == "auto":
	case s.Method == tree.Sidiwo && !s.Tree.Free:
		s.Tree.Splitter, s.Method = tree.Sidiwo, "auto"
	default:
		return misuse("--method %s is for flat models: add -k, or leave it out", s.Method)
	}
	return nil
}

// ordering are all flags of fit.
type ordering struct {
	reading  reading
	encoding encoding
	learning learning
	machine  machine
	order    run.Order
	keep     string
}

// given returns the order that the flags describe, but for its place.
func (o *ordering) given(a *app, args []string) (run.Order, error) {
	out := o.order
	out.Args, out.Now, out.Began = args, time.Now, began
	out.Read = o.reading.o
	var err error
	if out.Encode, err = o.encoding.settings(); err != nil {
		return out, err
	}
	if out.Fit, out.Views, err = o.learning.settings(); err != nil {
		return out, err
	}
	if err := o.machine.apply(a, &out.Read, &out.Encode); err != nil {
		return out, err
	}
	out.Fit.Workers = o.machine.workers
	return out, nil
}

func (a *app) fitCommand() *cobra.Command {
	o := &ordering{}
	dry, to := false, ""
	c := &cobra.Command{
		Use:   "fit DATA... -o RUN",
		Short: "Find groups in data and keep them in a run folder",
		Long: `Reads data, finds groups and writes a run folder. Without a size there are as
many groups as the records show, in a tree; -k asks for a flat model, --leaves
or --levels for a tree of that size. "Sure" is no promise: on laws by another
hand it was said 247 times and wrong 30 times, 12 % (8 to 17 %). DATA are files, folders, patterns, - for
standard input, omop: for a database (PG* environment variables), or the totals
of several sites ("moiety help moments").`,
		Example: `  moiety fit claims.csv -o run
  moiety fit claims.csv --where 'has code 428' --exclude 428 --leaves 8 -o hf
  moiety fit texts/ -k 10 --stopwords en -o topics
  moiety fit --within hf:1.2 -o inside`,
		RunE: func(c *cobra.Command, args []string) error {
			if o.order.Within == "" {
				if err := needData(c, args); err != nil {
					return err
				}
			}
			order, err := o.given(a, args)
			if err != nil {
				return err
			}
			if areTotals(order.Args) {
				if order = totals(c, order); dry {
					return a.ready(c.Context(), order)
				}
			}
			if dry {
				return a.dryRun(c.Context(), order)
			}
			if order.Out == "" {
				return misuse("no place for the run: add -o RUN, the folder to write")
			}
			if err := checkSpread(c, order.Spread); err != nil {
				return err
			}
			if err := oneOf("to", to, "npz"); err != nil {
				return err
			}
			if err := oneOf("keep", o.keep, "records", "sums"); err != nil {
				return err
			}
			if order.KeepSums = o.keep == "sums"; order.KeepSums && (len(order.Totals) > 0 || order.Fit.Privacy.Epsilon > 0) {
				return misuse("--keep sums is for records of one place, without --epsilon: leave it out")
			}
			if to != "" && a.json {
				return misuse("--to npz and --json both take standard output: choose one of them")
			}
			return a.fit(c.Context(), order, to)
		},
	}
	f := c.Flags()
	f.StringVarP(&o.order.Out, "out", "o", "", "run folder to write")
	f.BoolVar(&o.order.Force, "force", false, "replace an earlier run")
	f.StringVar(&o.keep, "keep", "records", "what the run keeps: records, or sums of presences with -k, so that it holds nobody and \"moiety update\" can still go on")
	f.BoolVar(&dry, "dry-run", false, "say what would be done and the memory it needs")
	f.StringVar(&to, "to", "", "npz: arrays for numpy on standard output instead of words, as by \"export --to npz --probabilities all\" (which has the standard errors of large data too)")
	complete(c, "to", "npz")
	complete(c, "keep", "records", "sums")
	f.StringVar(&o.order.Within, "within", "", "RUN:GROUP whose records to take instead of DATA")
	f.IntVar(&o.order.MinCell, "min-cell", 0, "smallest count to show (11 for health data; -1: show all)")
	f.BoolVar(&o.order.Health, "health", false, "the records are of people's health, whatever their form (codes of diseases and columns of patients are known to be)")
	f.BoolVar(&o.order.Cache, "cache", false, "keep the encoded rows beside the data")
	o.learning.add(c)
	o.encoding.add(c)
	o.reading.add(c)
	o.machine.add(c)
	addSpread(c, &o.order.Spread)
	f.BoolVar(&o.encoding.s.KeepText, "keep-text", false, "keep the texts in the run, so that report and show have documents with their words shaded; not for health data")
	return c
}

// sizeInWords says what is asked for.
func sizeInWords(s fit.Settings) string {
	switch t := s.Tree; {
	case s.K > 0 && s.Over:
		return fmt.Sprintf("a tree over the %s of a flat model", count(s.K, "group", "groups"))
	case s.K > 0:
		return fmt.Sprintf("a flat model of %s", count(s.K, "group", "groups"))
	case t.Leaves > 0:
		return fmt.Sprintf("a tree of %s", count(t.Leaves, "group", "groups"))
	case t.Levels > 0:
		return fmt.Sprintf("a tree of %s of splits, up to %d groups", count(t.Levels, "level", "levels"), 1<<min(t.Levels, 30))
	case t.MaxLeaves > 0:
		return fmt.Sprintf("a tree of as many groups as the records show, at most %d", t.MaxLeaves)
	}
	return "a tree of as many groups as the records show"
}
