package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/exchange"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/internal/run"
)

// sumsForm is the form of files that sites send.
var sumsForm = outfile.Form{Name: "an earlier file of sums", Ours: func(head, _ []byte) bool { return exchange.IsFile(head) }}

// pageForm is the form of the page beside such a file.
var pageForm = outfile.Form{Name: "an earlier page", Ours: func(head, _ []byte) bool {
	return strings.HasPrefix(string(head), "What leaves the house")
}}

func (a *app) momentsCommand() *cobra.Command {
	o := &ordering{}
	var out target
	var p run.Part
	c := &cobra.Command{
		Use:   "moments DATA... -o FILE.mom",
		Short: "Sum up the records of one site, to be joined with those of others",
		Long: `Sums up the records of one site for a fit over several: hospitals that must not
show each other their records. Every site runs the same command with the same
flags; "moiety merge" adds up their files, and the totals go back to the sites
with --with for the next round, until "moiety fit" has all it needs. No record
leaves the site. Beside FILE.mom a page, FILE.txt, says in plain words what does.

In the first round a site tells the names of its features, those that enough
records have, and makes a key, FILE.key, that stays at the site. Masks for later
sums are made with it and with the keys of the other sites: the file of one site
alone shows nothing of its sums, and all who take part read the total. Whoever
makes the list of sites hands out the keys, and one who puts keys of his own in
their place reads the sums of each. FILE.sent keeps what was sent last: a list of
sites or totals that changed, or other data for the same round, are refused, and
so is a list of fewer than three sites with records. docs/federated.md has a
whole study.`,
		Example: `  moiety moments site1.csv -k 4 -o site1.mom
  moiety moments site1.csv -k 4 --with all.mom -o site1.mom`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := needData(c, args); err != nil {
				return err
			}
			if out.path == "" {
				return misuse("no place for the sums: add -o FILE.mom")
			}
			var err error
			if p.Order, err = o.given(a, args); err != nil {
				return err
			}
			base := strings.TrimSuffix(out.path, ".mom")
			if p.Key == "" {
				p.Key = base + ".key"
			}
			if p.Site == "" {
				p.Site = filepath.Base(base)
			}
			return a.moments(c.Context(), p, out, target{base + ".txt", out.force})
		},
	}
	out.add(c, "file to write")
	f := c.Flags()
	f.StringVar(&p.With, "with", "", "totals of the rounds so far, as \"moiety merge\" wrote them; none in the first round")
	f.StringVar(&p.Site, "site", "", "name of this site for the others (default: that of the file to write)")
	f.StringVar(&p.Key, "key", "", "file of this site's key, made in the first round (default: FILE.key)")
	f.BoolVar(&p.Open, "open", false, "send the sums without masks, in every round: whoever gets the file can read them; of health data small cells are left out")
	f.IntVar(&o.order.MinCell, "min-cell", 0, "smallest count of records for which a name is told (11 for health data; -1: all)")
	f.BoolVar(&o.order.Health, "health", false, "the records are of people's health, whatever their form (codes of diseases are known to be)")
	o.learning.add(c)
	o.encoding.add(c)
	o.reading.add(c)
	o.machine.add(c)
	return c
}

// moments does a round at a site.
func (a *app) moments(ctx context.Context, p run.Part, out, page target) error {
	for t, form := range map[target]outfile.Form{out: sumsForm, page: pageForm} {
		if err := outfile.Check(t.path, form, t.force); err != nil {
			return err
		}
	}
	f, leaving, err := run.Sums(a.listening(ctx), p)
	if err != nil {
		return ofData(err)
	}
	data, err := f.Bytes()
	if err != nil {
		return err
	}
	size := len(data)
	files := []written{{out, sumsForm, data, false}, {page, pageForm, []byte(leaving.Text()), false}}
	if leaving.NewKey != nil {
		files = append(files, written{target{path: p.Key}, outfile.Form{Name: "a key"}, leaving.NewKey, true})
	}
	if err := a.writeAll(ctx, files); err != nil {
		return err
	}
	if a.json {
		return a.document("moments", struct {
			Out   string `json:"out"`
			Page  string `json:"page"`
			Round int    `json:"round" gate:"number of the round"`
			Bytes int    `json:"bytes" gate:"size of the file, of masked sums"`
		}{out.path, page.path, leaving.Round, size})
	}
	if leaving.Round == 0 {
		a.say("%s holds the names of features, and no count. %s lists them. The key in %s stays here.", out.path, page.path, p.Key)
		return nil
	}
	a.say("%s holds the sums of round %d (%s). %s says what leaves the house.", out.path, leaving.Round, byteSize(int64(size)), page.path)
	return nil
}

// written is a file that is written with others.
type written struct {
	to      target
	form    outfile.Form
	data    []byte
	private bool
}

// writeAll writes all of some files or none.
func (a *app) writeAll(ctx context.Context, files []written) error {
	var all outfile.Set
	defer all.Abandon()
	for _, f := range files {
		w, err := a.create(ctx, f.to, f.form, f.private)
		if err != nil {
			return err
		}
		all.Add(w)
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	return all.Commit()
}

func (a *app) mergeCommand() *cobra.Command {
	var out target
	var without []string
	c := &cobra.Command{
		Use:   "merge FILE.mom... -o ALL.mom",
		Short: "Add up the sums of several sites",
		Long: `Adds up files that "moiety moments" wrote at several sites, in any order and in
any number of steps. A site that is in twice, a file of another study or another
round, and one that was changed on its way are refused by name. When all sites
are in, the file holds the totals: it goes back to the sites for the next round,
or into "moiety fit".

--subtract takes a site's file out again, out of a file under way or out of the last
round of totals: it was added by mistake, or is to be made anew. What was never added
cannot be taken away. Sums with masks can be read when all sites are in, so what is
left is of use when the missing site is added again.`,
		Example: `  moiety merge site1.mom site2.mom site3.mom -o all.mom
  moiety merge all.mom --subtract site2.mom -o rest.mom`,
		Args: argsBetween(1, -1, "FILE.mom..."),
		RunE: func(c *cobra.Command, args []string) error {
			if out.path == "" {
				return misuse("no place for the totals: add -o ALL.mom")
			}
			return a.merge(c.Context(), args, without, out)
		},
	}
	out.add(c, "file to write")
	c.Flags().StringSliceVar(&without, "subtract", nil, "files of sites to take out again")
	return c
}

// namedSums reads files of sums.
func namedSums(names []string) (files []exchange.Named, err error) {
	for _, name := range names {
		f, err := exchange.Load(name)
		if err != nil {
			return nil, err
		}
		files = append(files, exchange.Named{Name: name, File: f})
	}
	return files, nil
}

// merge adds up files of sites, or takes some out again.
func (a *app) merge(ctx context.Context, args, without []string, out target) error {
	files, err := namedSums(args)
	if err != nil {
		return err
	}
	gone, err := namedSums(without)
	if err != nil {
		return err
	}
	f := files[0].File
	if len(files) > 1 || len(gone) == 0 {
		if f, err = exchange.Merge(files); err != nil {
			return err
		}
	}
	if len(gone) > 0 {
		if f, err = exchange.Subtract(exchange.Named{Name: args[0], File: f}, gone); err != nil {
			return err
		}
	}
	data, err := f.Bytes()
	if err != nil {
		return err
	}
	size := len(data)
	if err := a.writeAll(ctx, []written{{out, sumsForm, data, false}}); err != nil {
		return err
	}
	if a.json {
		return a.document("merge", struct {
			Out      string `json:"out"`
			Sites    int    `json:"sites" gate:"number of sites"`
			Round    int    `json:"round" gate:"number of the round"`
			Complete bool   `json:"complete"`
			Bytes    int    `json:"bytes" gate:"size of the file, of masked sums"`
		}{out.path, len(f.Sites), len(f.Done), f.Complete(), size})
	}
	switch {
	case !f.Complete():
		a.say("%s is not complete: still missing: %s.", out.path, f.Missing())
	case len(f.Done) == 0:
		a.say("%s lists %s. Give it to every site for the next round.", out.path, count(len(f.Sites), "site", "sites"))
	default:
		a.say("%s holds the totals of %s after %s.", out.path, count(len(f.Sites), "site", "sites"), count(len(f.Done), "round", "rounds"))
	}
	return nil
}

// areTotals reports that all data are files of sums.
func areTotals(args []string) bool {
	for _, name := range args {
		f, err := os.Open(name)
		if err != nil {
			return false
		}
		head := make([]byte, 64)
		n, _ := f.Read(head)
		f.Close()
		if !exchange.IsFile(head[:n]) {
			return false
		}
	}
	return len(args) > 0
}

// totals turns an order for data into one for files of sums.
func totals(c *cobra.Command, o run.Order) run.Order {
	o.Totals, o.Args = o.Args, nil
	o.Unset = true
	for _, name := range []string{"groups", "model", "method", "refine", "prior", "seed", "tree", "double", "epsilon", "delta", "most-codes", "own-noise"} {
		o.Unset = o.Unset && !c.Flags().Changed(name)
	}
	return o
}

// ready says whether totals are all that a fit needs.
func (a *app) ready(ctx context.Context, o run.Order) error {
	err := run.Ready(a.listening(ctx), o)
	if err != nil {
		if errors.Is(err, run.ErrCarry) {
			return err
		}
		return ofData(err)
	}
	a.say("All rounds are done: the totals are all that the fit needs.")
	return nil
}
