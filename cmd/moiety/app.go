package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/unfinished"
	"github.com/moiety-go/moiety/show"
	"github.com/moiety-go/moiety/warn"
)

// app is the program: where it reads and writes, and the global flags.
type app struct {
	in  *os.File
	out *output
	err *os.File

	quiet    bool
	verbose  bool
	json     bool
	progress string

	meter   *meter
	started bool // a verb began: earlier errors are wrong usage

	unfinished unfinished.List // files under temporary names
	waiting    *time.Timer     // until the user is told what is waited for; may be nil
	cores      int             // those there are, where the command may not use all; else 0
}

// run parses the arguments and does what they say.
func (a *app) run(args []string) int { return a.runRoot(a.root(), args) }

func (a *app) runRoot(root *cobra.Command, args []string) int {
	keepPipes()
	ctx, stop := a.interruptible()
	defer stop()
	defer a.freeCores()
	root.SetArgs(args)
	offer(root, args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	var cmd *cobra.Command
	var err error
	caught := par.Catch(func() { cmd, err = root.ExecuteContextC(unfinished.With(ctx, &a.unfinished)) })
	a.meter.clear()
	if a.waiting != nil {
		a.waiting.Stop()
	}
	switch {
	case caught != nil && ctx.Err() == nil:
		cmd, _, _ = root.Find(args)
		err = newFault(cmd, caught)
	case caught != nil:
		err = ctx.Err()
	case err != nil && !a.started && a.out.err == nil:
		err = wrongUse(cmd, err)
	default:
		err = a.out.failed(err)
	}
	var u unwritten
	if err == nil || errors.As(err, &u) && closedPipe(err) { // who closes a pipe has read enough
		return exitDone
	}
	code := exitCode(ctx, err)
	message := a.message(code, err)
	fmt.Fprintln(a.err, message)
	if a.json || slices.Contains(args, "--json") { // a wrong flag may stand before it
		a.failure(code, message)
	}
	return code
}

// root returns the whole command line.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "moiety",
		Short: "Find groups in records, and say in plain words what they are",
		Long: `moiety finds groups in records: patients by their diagnoses, texts by their
words, tables by their columns. It works by the method of moments: the same
data give the same groups, every time.

Start with "moiety demo", or with your own file: "moiety fit FILE -o RUN".`,
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
		PersistentPreRunE: func(c *cobra.Command, args []string) error { return a.begin(c, args) },
		Version:           fit.Program(),
	}
	root.SetVersionTemplate("{{.Version}}\n")
	flags := root.PersistentFlags()
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "only results and errors")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "more remarks on the way")
	flags.BoolVar(&a.json, "json", false, "print one JSON document instead of words")
	flags.StringVar(&a.progress, "progress", "auto", "auto, plain, json or none")
	flags.SortFlags = false
	for _, verb := range []func() *cobra.Command{
		a.demoCommand, a.inspectCommand, a.fitCommand, a.assignCommand, a.showCommand, a.reportCommand, a.exportCommand,
		a.evalCommand, a.chooseCommand, a.featuresCommand, a.sampleCommand, a.compareCommand, a.editCommand, a.convertCommand, a.momentsCommand, a.mergeCommand, a.studyCommand, a.pieceCommand, a.updateCommand, a.serveCommand, a.versionCommand, a.manCommand,
	} {
		c := verb()
		c.Flags().SortFlags = false
		c.SetUsageFunc(usageText)
		root.AddCommand(c)
	}
	root.SetHelpCommand(helpCommand())
	runnableCompletion(root)
	complete(root, "progress", "auto", "plain", "json", "none")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return flagError(c, err) })
	return root
}

// begin checks the global flags once a verb is known.
func (a *app) begin(c *cobra.Command, args []string) error {
	if err := swallowed(c); err != nil {
		return err
	}
	if !slices.Contains([]string{"auto", "plain", "json", "none"}, a.progress) {
		return fmt.Errorf("--progress %s: write auto, plain, json or none", a.progress)
	}
	if a.quiet && a.verbose {
		return fmt.Errorf("-q and -v: choose one of them")
	}
	a.meter = newMeter(a)
	a.started = true
	a.await(append(slices.Clone(args), namedFiles(c)...))
	return nil
}

// listening returns a context whose work reports its progress.
func (a *app) listening(ctx context.Context) context.Context {
	return progress.With(ctx, a.meter.listen)
}

// say writes a message for people to standard error.
func (a *app) say(format string, args ...any) {
	if a.quiet {
		return
	}
	a.meter.clear()
	fmt.Fprintln(a.err, harmless(fmt.Sprintf(format, args...)))
}

// openRun opens a run and passes on what was met on the way. An archive of a run, as
// the one page saves it, is unpacked beside itself first.
func (a *app) openRun(path string) (*run.Run, error) {
	open := run.Open
	if run.IsZip(path) {
		open = a.openZip
	}
	r, err := open(path)
	if err != nil {
		return nil, err
	}
	a.sayAll(r.Messages)
	return r, nil
}

// openZip opens the run in an archive. Where it is refused no folder is left of it.
func (a *app) openZip(path string, more ...family.Family) (*run.Run, error) {
	dir, fresh, err := run.Unpack(path)
	if err != nil {
		return nil, err
	}
	r, err := run.Open(dir, more...)
	switch {
	case !fresh:
	case err != nil:
		err = errors.Join(err, os.RemoveAll(dir))
	default:
		a.say("%s was unpacked into %s.", path, dir)
	}
	return r, err
}

// openRunOf opens the run that is the first of several arguments, and says so
// where the run is another of them.
func (a *app) openRunOf(c *cobra.Command, args []string) (*run.Run, error) {
	r, err := a.openRun(args[0])
	return r, runFirst(c, args, err)
}

// runFirst names the order of the arguments where the first is no run and
// another is one.
func runFirst(c *cobra.Command, args []string, err error) error {
	if !errors.Is(err, run.ErrNotRun) {
		return err
	}
	for _, other := range args[1:] {
		if run.IsRun(other) {
			return misuse("the run comes first: \"%s %s %s\"", c.CommandPath(), other, args[0])
		}
	}
	return err
}

// sayRing says for whom an output is.
func (a *app) sayRing(words string) {
	if words != "" {
		a.say("%s", wrap(words, 100, "  "))
	}
}

// sayAll says sentences, each on a line.
func (a *app) sayAll(sentences []string) {
	for _, s := range sentences {
		a.say("%s", s)
	}
}

// sayVerbose is say for those who asked for more.
func (a *app) sayVerbose(format string, args ...any) {
	if a.verbose {
		a.say(format, args...)
	}
}

// warn writes warnings; without -v notes are left to the reports.
func (a *app) warn(list []warn.Warning) {
	for _, w := range list {
		if w.Weight > warn.Note || a.verbose {
			a.say("%s", wrap("! "+w.String(), 100, "  "))
		}
	}
}

// document prints a result as JSON; kind names it, version is of its form.
func (a *app) document(kind string, value any) error {
	a.meter.clear()
	text, err := show.MarshalJSON(value)
	if err != nil {
		return err
	}
	head := fmt.Sprintf("{\n  \"moiety\": %q,\n  \"version\": 1", kind)
	body := strings.TrimPrefix(string(text), "{")
	if strings.TrimSpace(body) != "}" {
		head += ","
	}
	_, err = io.WriteString(a.out, head+body+"\n")
	return err
}

// failure prints an error as JSON, for programs that read nothing else.
func (a *app) failure(code int, message string) {
	if a.out.err != nil {
		return
	}
	// What cannot be written here was said on standard error.
	_ = a.document("error", struct {
		Code    int    `json:"code" gate:"exit code"`
		Message string `json:"message"`
	}{code, strings.TrimPrefix(message, "moiety: ")})
}

// print writes a result to standard output.
func (a *app) print(format string, args ...any) {
	a.meter.clear()
	io.WriteString(a.out, harmless(fmt.Sprintf(format, args...))) // a.out keeps the error
}
