package beam

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs" // gs://
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"  // s3://
)

// Store is a folder in a store of objects, s3:// or gs://, as Beam's file systems reach
// it. It has no rename and no reading from a place on, so that files are whole objects
// there, and large ones several.
type Store struct {
	fs filesystem.Interface
	at string
}

// InStore reports the address of a store.
func InStore(address string) bool {
	return strings.HasPrefix(address, "s3://") || strings.HasPrefix(address, "gs://")
}

// OpenStore opens a store. Who may read and write there is known from the environment, as
// the tools of the store have it.
func OpenStore(ctx context.Context, at string) (s *Store, err error) {
	if !InStore(at) || strings.ContainsAny(at, " \t\n*?[") {
		return nil, fmt.Errorf("beam: %q is no folder of a store: want s3://BUCKET/FOLDER or gs://BUCKET/FOLDER, without blanks", at)
	}
	defer func() { // Beam's file systems panic where they find no settings
		if why := recover(); why != nil {
			s, err = nil, fmt.Errorf("beam: %s: %v", at, why)
		}
	}()
	fs, err := filesystem.New(ctx, at)
	if err != nil {
		return nil, err
	}
	return &Store{fs, strings.TrimRight(at, "/")}, nil
}

// Close ends the use of the store.
func (s *Store) Close() error { return s.fs.Close() }

// names lists the objects of the folder.
func (s *Store) names(ctx context.Context) ([]string, error) {
	list, err := s.fs.List(ctx, s.at+"/*")
	if err != nil {
		return nil, fmt.Errorf("beam: %s: %w", s.at, err)
	}
	out := make([]string, len(list))
	for i, address := range list {
		out[i] = path.Base(address)
	}
	slices.Sort(out)
	return out, nil
}

// put copies bytes into an object.
func (s *Store) put(ctx context.Context, name string, r io.Reader) error {
	address := s.at + "/" + name
	ctx, stop := context.WithCancel(ctx)
	defer stop() // ends what was not committed
	w, err := s.fs.OpenWrite(ctx, address)
	if err == nil {
		if _, err = io.Copy(w, r); err != nil {
			stop()
		}
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		return fmt.Errorf("beam: writing %s: %w", address, err)
	}
	return nil
}

// send copies a file into an object.
func (s *Store) send(ctx context.Context, dir, name string) error {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	return s.put(ctx, name, f)
}

// get copies an object to a place of a file.
func (s *Store) get(ctx context.Context, name string, w io.Writer) error {
	return fetched(ctx, s.fs, s.at+"/"+name, w)
}

func fetched(ctx context.Context, fs filesystem.Interface, address string, w io.Writer) error {
	r, err := fs.OpenRead(ctx, address)
	if err == nil {
		_, err = io.Copy(w, r)
		err = errors.Join(err, r.Close())
	}
	if err != nil {
		return fmt.Errorf("beam: reading %s: %w", address, err)
	}
	return nil
}

// fetch copies an object into a file of a folder, which is whole or not there.
func (s *Store) fetch(ctx context.Context, dir, name string) error {
	return whole(filepath.Join(dir, name), func(w io.Writer) error { return s.get(ctx, name, w) })
}

// whole writes a file under another name and renames it.
func whole(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "part-") // for this user alone
	if err != nil {
		return err
	}
	if err = errors.Join(write(f), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// remove removes an object.
func (s *Store) remove(ctx context.Context, name string) error {
	r, ok := s.fs.(filesystem.Remover)
	if !ok {
		return nil
	}
	return r.Remove(ctx, s.at+"/"+name)
}

// Empty removes all objects of the folder.
func (s *Store) Empty(ctx context.Context) error {
	list, err := s.names(ctx)
	for _, name := range list {
		err = errors.Join(err, s.remove(ctx, name))
	}
	return err
}

// Download copies what an address of a store names, with * and ? in its last part, into a
// folder, and returns the files.
func Download(ctx context.Context, address, dir string) (files []string, err error) {
	s, err := OpenStore(ctx, address[:strings.LastIndexByte(address, '/')])
	if err != nil {
		return nil, err
	}
	defer s.Close()
	list, err := s.fs.List(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("beam: %s: %w", address, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("beam: there is no %s", address)
	}
	for _, from := range list {
		to := filepath.Join(dir, path.Base(from))
		if err := whole(to, func(w io.Writer) error { return fetched(ctx, s.fs, from, w) }); err != nil {
			return nil, err
		}
		files = append(files, to)
	}
	return files, nil
}

// Rows are cut into objects of so many bytes, so that a worker fetches those of its
// pieces alone.
var rowsPart int64 = 4 << 20

const rowsName = "rows.moiety"

// partName is the name of the object of a part of the rows, which ends with what a
// worker must know of all of them.
func partName(part int64) string { return fmt.Sprintf("rows-%06d", part) }

// frame is what is known of the rows before any of them: bytes, and where the tail begins.
type frame struct{ size, tail, part int64 }

func (f frame) String() string { return fmt.Sprintf("%d %d %d", f.size, f.tail, f.part) }

func parseFrame(text string) (f frame, err error) {
	words := strings.Fields(text)
	if len(words) != 3 {
		return f, fmt.Errorf("beam: rows are described by %q, want three numbers", text)
	}
	for i, to := range []*int64{&f.size, &f.tail, &f.part} {
		if *to, err = strconv.ParseInt(words[i], 10, 64); err != nil {
			return f, fmt.Errorf("beam: rows are described by %q, want three numbers", text)
		}
	}
	if f.part < 1 || f.tail < 0 || f.size < f.tail {
		return f, fmt.Errorf("beam: rows of %d bytes in parts of %d", f.size, f.part)
	}
	return f, nil
}
