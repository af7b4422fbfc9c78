package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"
)

// interruptible returns a context that the first Ctrl-C ends; the second ends
// the program at once.
func (a *app) interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
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
		fmt.Fprintln(a.err, over+"moiety: stopping; press Ctrl-C again to stop at once")
		cancel()
		select {
		case <-signals:
			os.Exit(exitCancelled)
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}
