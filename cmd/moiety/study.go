package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/study"
)

func (a *app) studyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "study new|join|round|close",
		Short: "Lead a study over several sites, none of which shows its records",
		Long: `A study over several sites, such as hospitals, that must not show each other their
records: sums travel, records stay. The coordinator begins it with "study new", every
site joins with "study join", then rounds follow with "study round" at the sites and at
the coordinator, until "study close" writes the run. Files go by a folder that all share,
by e-mail or stick, or by HTTP. docs/federated.md has a whole study.`,
		Example: `  moiety study new hf --sites 3 -k 6 --tree
  moiety study join hf claims.csv --site Bergen
  moiety study round Bergen.site
  moiety study round hf
  moiety study close hf -o RUN`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("study of what? Write \"moiety study new\", \"join\", \"round\" or \"close\"")
			}
			return misuse("study %s: write \"moiety study new\", \"join\", \"round\" or \"close\"", args[0])
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	for _, verb := range []func() *cobra.Command{a.studyNew, a.studyJoin, a.studyRound, a.studyClose} {
		v := verb()
		v.Flags().SortFlags = false
		v.SetUsageFunc(usageText)
		c.AddCommand(v)
	}
	return c
}

func (a *app) studyNew() *cobra.Command {
	o := &ordering{}
	sites, open := 0, false
	c := &cobra.Command{
		Use:   "new STUDY --sites N",
		Short: "Begin a study: the coordinator's folder, with what all sites agree on",
		Long: `Writes the folder of a new study. It holds what all sites agree on: how many there
are, how many groups to look for and how, and whether sums have masks. The flags are
those of "moiety fit"; sites give none of them again. Without -k the number of groups
is judged over all sites, which takes some hundreds of rounds: sites and coordinator
then do them with --wait.`,
		Example: `  moiety study new hf --sites 3 --health
  moiety study new hf --sites 3 -k 6 --tree --health`,
		Args: argsBetween(1, 1, "STUDY"),
		RunE: func(_ *cobra.Command, args []string) error {
			order, err := o.given(a, nil)
			if err != nil {
				return err
			}
			if err := order.Fit.Check(); err != nil {
				return err
			}
			if err := order.JoinsTree(open); err != nil {
				return ofData(err)
			}
			settings, err := run.StudyOf(order)
			if err != nil {
				return ofData(err)
			}
			p, err := study.NewPaper(filepath.Base(args[0]), sites, open, settings)
			if err != nil {
				return usage{err}
			}
			if _, err := study.New(args[0], p); err != nil {
				return err
			}
			if a.json {
				return a.document("study", p)
			}
			a.say("The study is in %s; %s says what it is. Each of the %d sites joins with", args[0], filepath.Join(args[0], "study.txt"), sites)
			a.say("  moiety study join %s DATA --site NAME", args[0])
			a.say("or, over the network, with the address that \"moiety study round %s --listen HOST:PORT\" prints.", args[0])
			return nil
		},
	}
	f := c.Flags()
	f.IntVar(&sites, "sites", 0, "how many sites take part, three or more")
	f.BoolVar(&open, "open", false, "open sums: files of sites can be read, and leave out cells of few people (default: secure sums, with masks)")
	f.IntVar(&o.order.MinCell, "min-cell", 0, "smallest count of records that may leave a site by name (11 for health data; -1: all)")
	f.BoolVar(&o.order.Health, "health", false, "the records are of people's health, whatever their form (codes of diseases are known to be)")
	o.learning.add(c)
	o.encoding.add(c)
	return c
}

func (a *app) studyJoin() *cobra.Command {
	o := &ordering{}
	var j study.Joining
	c := &cobra.Command{
		Use:   "join STUDY|ADDRESS DATA... --site NAME",
		Short: "Join a study with the data of this site",
		Long: `Makes the home of this site, a folder that stays here: its key, what it sent, byte by
byte, with a page in plain words for each file. The first file goes to the coordinator:
what the records are, and the names of features that enough of them have. No count.

Take part where you trust the coordinator: he hands out the public keys that sums are
masked with, and one who puts keys of his own in their place reads the sums of each
site. Totals are exact, and all who take part read them.

STUDY is the folder of the study, shared or a copy; ADDRESS is what the coordinator
sent you, copied whole.`,
		Example: `  moiety study join hf claims.csv --site Bergen
  moiety study join 'https://study.example.org:8440/#0f…' claims.csv --site Bergen`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return misuse("a study and the data of this site are needed: \"moiety study join STUDY DATA --site NAME\"")
			}
			if j.Name == "" {
				return misuse("this site needs a name that the others know: add --site NAME")
			}
			j.Where = args[0]
			if j.Home == "" {
				j.Home = j.Name + ".site"
			}
			order, err := o.local(a, args[1:])
			if err != nil {
				return err
			}
			j.Order = order
			h, err := study.Join(a.listening(c.Context()), j)
			if err != nil {
				return ofData(err)
			}
			return a.sayJoined(h)
		},
	}
	f := c.Flags()
	f.StringVar(&j.Name, "site", "", "name of this site for the others")
	f.StringVar(&j.Home, "home", "", "folder of this site, which stays here (default: NAME.site)")
	f.BoolVar(&j.Open, "open", false, "this site agrees to a study of open sums: whoever gets its files can read its sums")
	f.StringVar(&j.CA, "ca", "", "file of certificates (PEM) to trust besides those of the system")
	o.reading.add(c)
	o.machine.add(c)
	return c
}

// local returns the order of the flags about data and computer alone.
func (o *ordering) local(a *app, args []string) (run.Order, error) {
	out := run.Order{Order: fit.Order{Args: args, Read: o.reading.o}}
	if err := o.machine.apply(a, &out.Read, &out.Encode); err != nil {
		return out, err
	}
	out.Fit.Workers = o.machine.workers
	return out, nil
}

func (a *app) sayJoined(h *study.Home) error {
	log, err := h.Log()
	if err != nil {
		return err
	}
	if a.json {
		return a.document("study", documentOf(log, false, 0))
	}
	a.say("%s has joined. %s stays here: it holds the key of this site, and in sent.csv every file that left.", h.Name, h.Dir)
	a.say("Next, when all sites have joined:  moiety study round %s", h.Dir)
	return nil
}

// studyDocument is what a step of a study says to programs.
type studyDocument struct {
	Sent   []sentFile `json:"sent"`
	Rounds int        `json:"rounds" gate:"rounds that are done"`
	Done   bool       `json:"done"`
}

type sentFile struct {
	File  string `json:"file"`
	Round int    `json:"round" gate:"number of the round"`
	Mode  string `json:"mode"`
	What  string `json:"what"`
	Bytes int    `json:"bytes" gate:"size of the file"`
}

func documentOf(log []study.Sent, done bool, rounds int) studyDocument {
	d := studyDocument{Sent: []sentFile{}, Done: done, Rounds: rounds}
	for _, s := range log {
		d.Sent = append(d.Sent, sentFile{s.File, s.Round, s.Mode, s.What, s.Bytes})
	}
	return d
}

func (a *app) studyClose() *cobra.Command {
	o := &ordering{}
	out, force := "", false
	c := &cobra.Command{
		Use:   "close STUDY|HOME -o RUN",
		Short: "Write the run of a study, when all rounds are done",
		Long: `At the coordinator: the run of the totals, which holds no record; its report shows
counts of all sites behind the limit of small cells. At a site, with its home: the same
groups with the records of this site placed by them, side columns and all; it stays
there, and nothing is sent.`,
		Example: `  moiety study close hf -o RUN
  moiety study close Bergen.site -o bergen`,
		Args: argsBetween(1, 1, "STUDY or HOME"),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return misuse("no place for the run: add -o RUN, the folder to write")
			}
			order, err := o.local(a, nil)
			if err != nil {
				return err
			}
			order.Out, order.Force = out, force
			if study.IsHome(args[0]) {
				return a.closeSite(c.Context(), args[0], order)
			}
			if _, err := (&study.Folder{Dir: args[0]}).Paper(); err != nil {
				return ofData(err)
			}
			order.Totals, order.Unset = []string{(&study.Folder{Dir: args[0]}).Sums()}, true
			err = a.fit(c.Context(), order, "")
			if errors.Is(err, exchange.ErrCarry) {
				return ofData(errors.New("not all rounds are done: go on with \"moiety study round\" at the sites and here"))
			}
			return err
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "run folder to write")
	c.Flags().BoolVar(&force, "force", false, "replace an earlier run")
	o.machine.add(c)
	return c
}

// closeSite writes the run of a site.
func (a *app) closeSite(ctx context.Context, dir string, o run.Order) error {
	h, err := study.OpenHome(dir)
	if err != nil {
		return ofData(err)
	}
	o.Words = printed
	m, err := h.Close(a.listening(ctx), o)
	if err != nil {
		return ofData(err)
	}
	defer m.Close()
	r, err := m.Write(a.listening(ctx), o.Out, o.Force)
	if err != nil {
		return ofData(err)
	}
	return a.fitted(r)
}
