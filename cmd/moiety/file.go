package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/internal/run"
)

// target is where a verb writes, and whether the user insists on it.
type target struct {
	path  string
	force bool
}

// add defines -o and --force on a command.
func (t *target) add(c *cobra.Command, help string) {
	c.Flags().StringVarP(&t.path, "out", "o", "", help)
	c.Flags().BoolVar(&t.force, "force", false, "replace a file that is not an earlier output of this command")
}

// orStdout makes "-" standard output, as no name at all does.
func (t *target) orStdout() {
	if t.path == "-" {
		t.path = ""
	}
}

// create begins an output file.
func (a *app) create(ctx context.Context, t target, form outfile.Form, private bool) (*outfile.File, error) {
	return outfile.Create(ctx, t.path, form, outfile.Options{
		Force: t.force, Private: private,
		Waiting: func() { a.say("waiting for somebody who reads %s", t.path) },
	})
}

// checkFolder says whether files may be written into a folder, which need not be
// there yet.
func checkFolder(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: %w, and it is no folder: choose another name with -o", path, outfile.ErrExists)
	case run.IsRun(path):
		return fmt.Errorf("%s is a run: choose another folder with -o", path)
	}
	return nil
}

// guarded is a writer of tables that counts cells which spreadsheets would take
// for formulas.
type guarded struct {
	io.Writer
	n *int
}

// Guarded implements show.Guarded.
func (g guarded) Guarded(cells int) { *g.n += cells }

// guardedNote says what was done to them.
func guardedNote(n int) string {
	return wrap(fmt.Sprintf("%s a sign that spreadsheets take for a formula, and got an apostrophe (') in front; "+
		"moiety takes it off again when it reads its own files.", count(n, "cell begins with", "cells begin with")), 100, "  ")
}
