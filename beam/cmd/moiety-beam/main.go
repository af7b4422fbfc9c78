// Command moiety-beam is "moiety fit" with its sums added up on Apache Beam: by
// Prism in this process, or by Flink and other runners on a cluster. It takes the
// flags of "moiety fit", a folder that all workers see (--work), and those of Beam.
//
//	moiety-beam fit claims.csv -k 8 -o run --work /shared
//	moiety-beam fit claims.csv -k 8 -o run --work /shared --runner universal --endpoint flink:8099 …
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/moiety-go/moiety/beam"
)

const usage = `usage: moiety-beam fit DATA... -o RUN --work FOLDER [flags of moiety fit] [flags of Beam]

DATA may be s3://BUCKET/NAME or gs://BUCKET/NAME, * in the last part. --store
s3://BUCKET/FOLDER (or gs://) for workers that do not see the folder of --work:
records and sums are carried there and back, and removed in the end.

Flags of Beam: --runner prism (default) or universal; --endpoint, --environment_type,
--environment_config, --worker_binary, --parallelism, --job_name, --experiments.
docs/cluster.md has whole commands for Flink.`

// ours are the flags of Beam that are taken; the rest are those of "moiety fit".
var ours = strings.Fields("runner endpoint environment_type environment_config worker_binary parallelism job_name experiments store")

func main() {
	store := flag.String("store", "", "folder of a store, s3:// or gs://, through which records and sums are carried")
	runner := flag.String("runner", "prism", "runner of Beam: prism, or universal for one at --endpoint")
	args := os.Args[1:]
	var err error
	switch {
	case len(args) > 0 && args[0] == "fit":
		err = fit(args[1:])
	case len(args) > 0 && args[0] == "pass":
		flag.CommandLine.Parse(args[1:]) // exits on an error
		err = pass(*runner, *store)
	case slices.ContainsFunc(args, isWorker):
		flag.Parse()
		sdk.Init() // works until the runner is done, and exits
	default:
		err = errors.New(usage)
	}
	var ended *exec.ExitError
	if errors.As(err, &ended) { // moiety has said why
		os.Exit(max(ended.ExitCode(), 1))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "moiety-beam:", err)
		os.Exit(1)
	}
}

// isWorker reports the flag by which Beam starts this program on a worker.
func isWorker(arg string) bool { return arg == "--worker" || strings.HasPrefix(arg, "--worker=") }

// pass adds up the pieces that standard input lists.
func pass(runner, store string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	elements, err := beam.Elements(os.Stdin, parallelism(runner))
	if err != nil {
		return err
	}
	sdk.Init()
	if store != "" {
		return beam.RunIn(ctx, runner, store, elements)
	}
	return beam.Run(ctx, runner, elements)
}

// parallelism is the number of elements of a pass. In this process one is enough: it
// uses all cores, and the steps before the pass are repeated once.
func parallelism(runner string) int {
	if f := flag.Lookup("parallelism"); f != nil {
		if n, ok := f.Value.(flag.Getter).Get().(int); ok && n > 0 {
			return n
		}
	}
	if runner == "prism" {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// fit runs "moiety fit" with passes by this program.
func fit(args []string) (err error) {
	ctx := context.Background()
	own, rest := divide(args)
	own, emptied, err := ownFolder(ctx, own)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, emptied()) }()
	rest, forget, err := downloaded(ctx, rest)
	defer func() { err = errors.Join(err, forget()) }()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	by := []string{quoted(self), "pass"}
	for _, a := range own {
		by = append(by, quoted(a))
	}
	c := exec.Command(moiety(self), append([]string{"fit", "--by", strings.Join(by, " ")}, rest...)...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	signal.Ignore(os.Interrupt) // moiety gets it too, and ends
	return c.Run()
}

// ownFolder gives this fit a folder of its own in the store, and returns what empties it.
func ownFolder(ctx context.Context, own []string) (list []string, emptied func() error, err error) {
	at := slices.IndexFunc(own, func(a string) bool { return strings.HasPrefix(a, "--store=") })
	if at < 0 {
		return own, func() error { return nil }, nil
	}
	folder := strings.TrimRight(strings.TrimPrefix(own[at], "--store="), "/") + "/moiety-" + rand.Text()
	s, err := beam.OpenStore(ctx, folder)
	if err != nil {
		return nil, nil, err
	}
	own[at] = "--store=" + folder
	return own, func() error { return errors.Join(s.Empty(ctx), s.Close()) }, nil
}

// downloaded replaces data in stores by copies in a temporary folder, and returns what
// removes them.
func downloaded(ctx context.Context, args []string) (list []string, forget func() error, err error) {
	dir := ""
	forget = func() error {
		if dir == "" {
			return nil
		}
		return os.RemoveAll(dir)
	}
	for i, a := range args {
		if !beam.InStore(a) {
			list = append(list, a)
			continue
		}
		if i > 0 && slices.Contains([]string{"-o", "--out", "--work"}, args[i-1]) {
			return nil, forget, fmt.Errorf("%s %s: runs and the work that leads to them are folders of this machine; workers that do not see it are reached by --store", args[i-1], a)
		}
		if dir == "" {
			if dir, err = os.MkdirTemp("", "moiety-data-"); err != nil { // for this user alone
				return nil, forget, err
			}
		}
		files, err := beam.Download(ctx, a, dir)
		if err != nil {
			return nil, forget, err
		}
		list = append(list, files...)
	}
	return list, forget, nil
}

// moiety finds the program: beside this one, or in the path.
func moiety(self string) string {
	if beside := filepath.Join(filepath.Dir(self), "moiety"); isFile(beside) {
		return beside
	}
	return "moiety"
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// divide tells the flags of Beam from those of "moiety fit".
func divide(args []string) (own, rest []string) {
	for i := 0; i < len(args); i++ {
		name, _, whole := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		switch {
		case !strings.HasPrefix(args[i], "--") || !slices.Contains(ours, name):
			rest = append(rest, args[i])
		case whole || i+1 == len(args):
			own = append(own, args[i])
		default:
			own = append(own, args[i]+"="+args[i+1])
			i++
		}
	}
	return own, rest
}

// quoted is a word for the shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
