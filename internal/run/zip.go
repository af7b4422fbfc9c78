package run

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/durable"
)

// Bounds of what an archive may unfold to: rows and placed records of a run are
// packed to a tenth or so, and a few kilobytes that announce gigabytes are no run.
const (
	unfoldAlways = 1 << 28 // bytes that any archive may unfold to
	unfoldTimes  = 100     // times its own size, where that is more
	largestList  = 1 << 24 // bytes of a manifest
)

// WriteZip writes the run folder as an archive, which Unpack turns into the folder
// again. Files of work that goes on in it (their names begin with a dot) stay out.
func (r *Run) WriteZip(ctx context.Context, w io.Writer) error {
	z := zip.NewWriter(w)
	list, err := os.ReadDir(r.Path)
	if err != nil {
		return err
	}
	for _, e := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if err := addFile(z, path.Join(filepath.Base(r.Path), e.Name()), filepath.Join(r.Path, e.Name())); err != nil {
			return err
		}
	}
	return z.Close()
}

func addFile(z *zip.Writer, name, from string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	to, err := z.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, f)
	return err
}

// IsZip reports whether a file is an archive of a run, as WriteZip writes them.
func IsZip(file string) bool {
	z, err := zip.OpenReader(file)
	if err != nil {
		return false
	}
	defer z.Close()
	_, err = inZip(&z.Reader)
	return err == nil
}

// inZip returns the files of the run in an archive, by their names in its folder.
func inZip(z *zip.Reader) (map[string]*zip.File, error) {
	files, folder := map[string]*zip.File{}, ""
	for _, f := range z.File {
		dir, name := path.Split(f.Name)
		switch {
		case name == "" && f.FileInfo().IsDir():
			continue
		case len(files) > 0 && dir != folder, strings.Count(dir, "/") > 1, !f.Mode().IsRegular(), !filepath.IsLocal(name), strings.ContainsAny(name, `\:`):
			return nil, fmt.Errorf("%q is no file of a run: %w", f.Name, container.ErrForeign)
		}
		folder, files[name] = dir, f
	}
	if files[manifestFile] == nil {
		return nil, fmt.Errorf("it has no %s: %w", manifestFile, ErrNotRun)
	}
	return files, bounded(files)
}

// bounded refuses an archive that announces far more than runs hold.
func bounded(files map[string]*zip.File) error {
	packed, whole := 0.0, 0.0
	for _, f := range files {
		packed, whole = packed+float64(f.CompressedSize64), whole+float64(f.UncompressedSize64)
	}
	if whole > max(unfoldAlways, unfoldTimes*packed) || files[manifestFile].UncompressedSize64 > largestList {
		return fmt.Errorf("%.0f bytes would become %.0f: %w", packed, whole, container.ErrForeign)
	}
	return nil
}

// Unpack turns an archive of a run into the folder beside it that has its name
// without the ending, and returns the folder. A folder that is there already stays as
// it is where it is the same run (with names given by hand, perhaps), and is an error
// where it is something else. Nothing half written is left under the folder's name.
func Unpack(file string) (dir string, fresh bool, err error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return "", false, fmt.Errorf("%s: %w", file, err)
	}
	defer z.Close()
	files, err := inZip(&z.Reader)
	if err != nil {
		return "", false, fmt.Errorf("%s: %w", file, err)
	}
	dir = strings.TrimSuffix(file, filepath.Ext(file))
	if dir == file {
		dir += "-run"
	}
	if _, err := os.Lstat(dir); err == nil {
		return dir, false, sameRun(dir, file, files[manifestFile])
	}
	err = durable.WriteFolder(durable.OS{}, dir, 0o700, func(temp string) error {
		for name, f := range files {
			if err := takeFile(f, filepath.Join(temp, name)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
	if err != nil {
		return "", false, fmt.Errorf("%s cannot be unpacked beside it: %w", file, err)
	}
	return dir, true, nil
}

// sameRun holds that a folder is the run of an archive, by its manifest.
func sameRun(dir, file string, manifest *zip.File) error {
	packed, err := manifest.Open()
	if err != nil {
		return err
	}
	defer packed.Close()
	want, err := io.ReadAll(io.LimitReader(packed, largestList))
	if err != nil {
		return err
	}
	got, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%s: there is already something else called %s: move it, or give the archive another name", file, dir)
	}
	return nil
}

// takeFile unpacks one file, not more of it than the archive announces.
func takeFile(f *zip.File, to string) error {
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	w, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	size, err := io.Copy(w, io.LimitReader(from, int64(f.UncompressedSize64)+1))
	if err == nil && size > int64(f.UncompressedSize64) {
		err = zip.ErrFormat
	}
	return errors.Join(err, w.Close())
}
