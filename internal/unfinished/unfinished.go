// Package unfinished lists the files and folders that work has under temporary
// names, so that a program which is told to stop at once can take them away
// without waiting for the work.
//
// Step in the flow: below everything. It must not know what the files hold.
package unfinished

import (
	"context"
	"os"
	"sync"
)

// List is a list of files and folders. The zero value is an empty list.
type List struct {
	mu    sync.Mutex
	items map[*Item]struct{}
	ended bool
}

// Item is a file or folder under a temporary name.
type Item struct {
	list *List // nil where nobody keeps a list
	path string
}

type key struct{}

// With returns a context whose work is listed.
func With(ctx context.Context, l *List) context.Context { return context.WithValue(ctx, key{}, l) }

// Add lists a file or folder until it is committed or dropped.
func Add(ctx context.Context, path string) *Item {
	l, _ := ctx.Value(key{}).(*List)
	return l.Add(path)
}

// Add is the function of that name, for a list, which may be nil.
func (l *List) Add(path string) *Item {
	item := &Item{l, path}
	if l == nil {
		return item
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.items == nil {
		l.items = make(map[*Item]struct{})
	}
	l.items[item] = struct{}{}
	return item
}

// Commit gives the item its final name, by calling rename. It does not once the
// list is being removed: half of a folder would get the name then.
func (i *Item) Commit(rename func() error) error {
	if i.list == nil {
		return rename()
	}
	i.list.mu.Lock()
	defer i.list.mu.Unlock()
	if i.list.ended {
		return context.Canceled
	}
	err := rename()
	if err == nil {
		delete(i.list.items, i)
	}
	return err
}

// Drop takes the item off the list: it was removed, or others care for it.
func (i *Item) Drop() {
	if i.list == nil {
		return
	}
	i.list.mu.Lock()
	defer i.list.mu.Unlock()
	delete(i.list.items, i)
}

// Remove removes everything that is listed, with all it holds, and ends the
// list. The work that made it may still be running: what it writes meanwhile is
// removed too, as far as a few tries reach.
func (l *List) Remove() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	const tries = 3
	for range tries {
		for i := range l.items {
			os.RemoveAll(i.path)
		}
	}
}
