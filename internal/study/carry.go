package study

import (
	"context"
	"errors"
	"time"
)

// post is a way between a site and the coordinator.
type post interface {
	// paper returns what the sites agreed on.
	paper(ctx context.Context) (*Paper, error)
	// put sends a file of a site.
	put(ctx context.Context, site string, data []byte) error
	// total returns the file of round n, 0 being the list of sites; nil where it is
	// not there yet and wait is not set.
	total(ctx context.Context, n int, wait bool) ([]byte, error)
	// leave says that a site has all it needs.
	leave(ctx context.Context, site string) error
}

// folderPost is a folder that site and coordinator share, or send to and fro.
type folderPost struct{ *Folder }

func (f folderPost) paper(context.Context) (*Paper, error) { return f.Paper() }

func (f folderPost) put(_ context.Context, site string, data []byte) error { return f.Put(site, data) }

func (f folderPost) leave(context.Context, string) error { return nil }

// Pause says how long to wait before a shared folder is looked into again: a little at
// first, since a judgement is hundreds of rounds, and longer where nothing comes.
type Pause time.Duration

// The first wait and the longest.
const (
	soonest = Pause(2 * time.Millisecond)
	latest  = Pause(100 * time.Millisecond)
)

// Wait waits once.
func (l *Pause) Wait(ctx context.Context) error {
	*l = min(max(2**l, soonest), latest)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(*l)):
		return nil
	}
}

func (f folderPost) total(ctx context.Context, n int, wait bool) ([]byte, error) {
	var pause Pause
	for {
		if data, err := f.Total(n); data != nil || err != nil || !wait {
			return data, err
		}
		if err := pause.Wait(ctx); err != nil {
			return nil, err
		}
	}
}

// errNotYet says that not all sites have joined.
var errNotYet = errors.New("not all sites have joined yet: try again when the coordinator says so")
