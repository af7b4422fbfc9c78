package api

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/setting"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/show"
)

// Kind is what went wrong, for doors and programs.
type Kind string

// Kinds of errors.
const (
	Unknown    Kind = "unknown"    // there is no such thing
	Refused    Kind = "refused"    // the request makes no sense
	Unreadable Kind = "unreadable" // the data cannot be read
	TooLittle  Kind = "too-little" // the data are too few for the question
	Busy       Kind = "busy"       // somebody else is at it
	Cancelled  Kind = "cancelled"
	Fault      Kind = "fault" // of the program or the machine
)

// Error is an error in words for people.
type Error struct {
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`
	err     error
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.err }

func refused(format string, args ...any) error {
	return &Error{Kind: Refused, Message: fmt.Sprintf(format, args...)}
}

func unknown(format string, args ...any) error {
	return &Error{Kind: Unknown, Message: fmt.Sprintf(format, args...)}
}

// Wrap gives any error its kind.
func Wrap(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	kind := Fault
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &Error{Cancelled, "It was cancelled.", err}
	case errors.Is(err, run.ErrNotRun), errors.Is(err, fs.ErrNotExist):
		kind = Unknown
	case errors.Is(err, run.ErrBusy), errors.Is(err, run.ErrReplaced):
		kind = Busy
	case errors.Is(err, fit.ErrSettings), errors.Is(err, run.ErrExists), errors.Is(err, record.ErrNoColumn), errors.Is(err, show.ErrNoPicture),
		errors.Is(err, encode.ErrCompare), errors.Is(err, encode.ErrImmense):
		kind = Refused
	case errors.Is(err, fit.ErrNothing), source.Unreadable(err), errors.Is(err, container.ErrDamaged):
		kind = Unreadable
	case errors.Is(err, fit.ErrTooLittle), errors.Is(err, encode.ErrNoFeatures), errors.Is(err, encode.ErrNoRecords), errors.Is(err, encode.ErrUnknown):
		kind = TooLittle
	}
	return &Error{kind, setting.Say(err.Error(), setting.Plain), err}
}
