package main

import (
	"context"
	"errors"
	"strings"

	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/setting"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/record"
)

// Exit codes of the contract.
const (
	exitDone       = 0
	exitError      = 1
	exitUsage      = 2
	exitUnreadable = 3
	exitTooLittle  = 4
	exitCancelled  = 130
)

// dataError is an error that arose while data were read, and not in a run or the
// rest of the machine.
type dataError struct{ err error }

func (d dataError) Error() string { return d.err.Error() }
func (d dataError) Unwrap() error { return d.err }

// ofData marks an error that arose while data were read.
func ofData(err error) error {
	if err == nil {
		return nil
	}
	return dataError{err}
}

// exitCode maps an error to the code of the contract.
func exitCode(ctx context.Context, err error) int {
	var u usage
	var d dataError
	var v *moment.ValueError // the model that was named does not suit the data
	switch {
	case errors.Is(err, context.Canceled) || ctx.Err() != nil:
		return exitCancelled
	case errors.As(err, &u), errors.As(err, &v), errors.Is(err, fit.ErrSettings), errors.Is(err, explain.ErrAsked), errors.Is(err, record.ErrNoColumn):
		return exitUsage
	case errors.Is(err, run.ErrNotRun), errors.Is(err, run.ErrExists), errors.Is(err, run.ErrBusy), errors.Is(err, run.ErrUnwritable):
		return exitError
	case errors.Is(err, fit.ErrNothing), errors.Is(err, encode.ErrCompare), errors.Is(err, encode.ErrImmense), errors.As(err, &d) && source.Unreadable(err):
		return exitUnreadable
	case errors.Is(err, fit.ErrTooLittle), errors.Is(err, encode.ErrNoFeatures), errors.Is(err, encode.ErrNoRecords),
		errors.Is(err, encode.ErrUnknown):
		return exitTooLittle
	}
	return exitError
}

// cancelled is the last line of a command that was told to stop.
const cancelled = "moiety: cancelled; nothing unfinished was left behind"

// message words the last line of a failed command.
func (a *app) message(code int, err error) string {
	if code == exitCancelled {
		return cancelled
	}
	return "moiety: " + harmless(inFlags(strings.TrimSpace(err.Error())))
}

// inFlags words an error of the rooms below: settings are flags, and the names of
// the rooms are no business of the user.
func inFlags(text string) string {
	return setting.Say(packageNames.ReplaceAllString(text, "$1"), setting.Flag)
}

// packageNames are the packages that errors come from: no business of the user.
var packageNames = pattern.New(`(^|: )(?:encode|fit|decompose|run|tree|model|moment|explain|show|evaluate|choose|dataset|` +
	strings.Join(model.Names(), "|") + `): `)
