package api

import (
	"context"
	"io"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/run"
)

// Store is where a workbench keeps data and runs: a folder, or memory. Ids come
// from requests: a store takes only those that it gave out.
type Store interface {
	// Where says for people where things are kept.
	Where() string

	// Data lists the data files, PutData keeps one under a name like the one
	// given, Input opens one, DropData forgets one.
	Data() ([]DataFile, error)
	PutData(ctx context.Context, name string, r io.Reader) (DataFile, error)
	Input(id string) (source.Input, error)
	DropData(id string) error

	// Runs lists the ids of the runs, the latest first. Stamp changes whenever a
	// run or its edits do.
	Runs() ([]string, error)
	Stamp(id string) (string, error)
	Open(id string) (*run.Run, error)
	// Make does an order and keeps the run under a name like the one given.
	Make(ctx context.Context, name string, o run.Order) (id string, err error)
	// Within says how an order names a group of a run, see run.Order.
	Within(id, group string) (string, error)
	Drop(id string) error
}

// DataFile is a file of data that was given to the workbench.
type DataFile struct {
	ID    string `json:"id"`
	Bytes int64  `json:"bytes" gate:"bytes of a file"`
	Date  string `json:"date"`
}
