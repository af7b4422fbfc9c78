package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

// grace is how long work that was told to stop may take to do so. The promise
// is a second; what is left is for cleaning up.
const grace = 700 * time.Millisecond

// interruptible returns a context that the first Ctrl-C, a TERM, or the end of the
// terminal ends. Work looks at it between blocks; where it is inside one long
// calculation, and at a second Ctrl-C, the program cleans up and ends all the same.
// Who started it with nohup has asked that the end of the terminal be no end.
func (a *app) interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-done:
			return
		}
		over := "" // takes a bar away; the rest of the program may be drawing it
		if term.IsTerminal(int(a.err.Fd())) {
			over = "\r\x1b[K"
		}
		fmt.Fprintln(a.err, over+"moiety: stopping")
		cancel()
		select {
		case <-signals:
		case <-time.After(grace):
		case <-done:
			return
		}
		a.unfinished.Remove()
		fmt.Fprintln(a.err, cancelled)
		os.Exit(exitCancelled)
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}
