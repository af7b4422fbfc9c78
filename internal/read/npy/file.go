package npy

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// File is an open file of one array or several.
type File struct {
	in      source.Input
	raw     *source.Seekable
	members map[string]*zip.File // nil: the file is one array
	names   []string             // of the members, in the order of the file
}

// maxMembers bounds the arrays of one file.
const maxMembers = 1 << 12

// Open looks at what a file holds.
func Open(ctx context.Context, in source.Input) (*File, error) {
	raw, err := in.Seek(ctx)
	if err != nil {
		return nil, err
	}
	f := &File{in: in, raw: raw}
	start := make([]byte, len(Magic))
	if _, err := raw.ReadAt(start, 0); err == nil && bytes.Equal(start, []byte(Magic)) {
		return f, nil
	}
	z, err := zip.NewReader(raw, raw.Size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", in.Name, source.ErrDamaged, source.Damage(err))
	}
	f.members = make(map[string]*zip.File)
	for _, m := range z.File {
		if name, ok := strings.CutSuffix(m.Name, ".npy"); ok && len(f.names) < maxMembers {
			f.members[name] = m
			f.names = append(f.names, name)
		}
	}
	if len(f.names) == 0 {
		return nil, &record.ParseError{File: in.Name, Msg: "the archive holds no array of numpy"}
	}
	return f, nil
}

// array begins to read an array; name is "" where there is one only.
func (f *File) array(name string) (*array, io.Closer, error) {
	if f.members == nil {
		a, err := open(f.in.Name, io.NewSectionReader(f.raw, 0, f.raw.Size))
		return a, io.NopCloser(nil), err
	}
	m := f.members[name]
	if m == nil {
		return nil, nil, &record.ParseError{File: f.in.Name, Msg: fmt.Sprintf("the array %q is missing", name)}
	}
	r, err := m.Open()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w: array %q: %w", f.in.Name, source.ErrDamaged, name, source.Damage(err))
	}
	d := damages{r, f.in.Name}
	a, err := open(f.in.Name+", array "+name, d)
	if err != nil {
		r.Close()
		return nil, nil, err
	}
	return a, d, nil
}

// damages words errors of the archive.
type damages struct {
	r    io.ReadCloser
	name string
}

func (d damages) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		err = d.worded(err)
	}
	return n, err
}

// Close tells again what was wrong with the packed bytes.
func (d damages) Close() error { return d.worded(d.r.Close()) }

func (d damages) worded(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w: %w", d.name, source.ErrDamaged, source.Damage(err))
}

// shape returns the header of an array without reading it.
func (f *File) head(name string) (header, error) {
	a, c, err := f.array(name)
	if err != nil {
		return header{}, err
	}
	return a.header, c.Close()
}

// Sparse reports whether the file is a sparse matrix of scipy.
func (f *File) Sparse() bool { return f.members["format"] != nil && f.members["shape"] != nil }

// Names of arrays that say something about the rows or columns of the matrix.
var (
	idArrays     = []string{"ids", "id", "index", "row_names", "obs_names", "records", "documents"}
	columnArrays = []string{"columns", "feature_names", "features", "names", "vocabulary", "vocab", "var_names", "terms"}
	labelArrays  = []string{"y", "label", "labels", "target", "group", "groups"}
	dataArrays   = []string{"X", "x", "data", "arr_0", "matrix", "counts", "table"}
)

// list reads the first of the named arrays that has n elements in one
// dimension; nil: there is none.
func (f *File) list(n int, names ...string) ([]string, string, error) {
	for _, name := range names {
		if f.members[name] == nil {
			continue
		}
		a, c, err := f.array(name)
		if err != nil {
			return nil, "", err
		}
		if len(a.shape) != 1 || a.shape[0] != n {
			c.Close()
			continue
		}
		words, err := a.texts()
		c.Close()
		return words, name, err
	}
	return nil, "", nil
}

// matrix finds the dense array that holds the records.
func (f *File) matrix() (string, header, error) {
	if f.members == nil {
		h, err := f.head("")
		return "", h, err
	}
	var wide []string
	heads := map[string]header{}
	for _, name := range f.names {
		h, err := f.head(name)
		if err != nil {
			return "", header{}, err
		}
		if heads[name] = h; len(h.shape) == 2 {
			wide = append(wide, name)
		}
	}
	if len(wide) > 1 {
		for _, name := range dataArrays {
			if slices.Contains(wide, name) {
				return name, heads[name], nil
			}
		}
	}
	if len(wide) == 1 {
		return wide[0], heads[wide[0]], nil
	}
	return "", header{}, &record.ParseError{File: f.in.Name, Msg: fmt.Sprintf(
		"%d of its arrays have rows and columns (%s); save the one with the records alone, or call it X", len(wide), strings.Join(f.names, ", "))}
}
