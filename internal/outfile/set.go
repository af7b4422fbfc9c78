package outfile

import "slices"

// Set are files that get their places together: a full disk leaves none of them, and no
// folder that was made for them.
type Set struct{ files []*File }

// Add takes a file into the set, which commits or abandons it with the others.
func (s *Set) Add(f *File) { s.files = append(s.files, f) }

// Holds reports whether the set has a file for this path.
func (s *Set) Holds(path string) bool {
	return slices.ContainsFunc(s.files, func(f *File) bool { return f.Path == path })
}

// Commit puts all files in their places, once all of them are on the disk.
func (s *Set) Commit() error {
	for _, f := range s.files {
		if err := f.Close(); err != nil {
			return err
		}
	}
	for _, f := range s.files {
		if err := f.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// Abandon removes the files that are not in their places, the last one first: it lies in
// folders that were made for those before it.
func (s *Set) Abandon() {
	for _, f := range slices.Backward(s.files) {
		f.Abandon()
	}
}
