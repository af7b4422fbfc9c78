package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/moiety-go/moiety/internal/durable"
)

// inUse reports whether a temporary folder is being worked on.
func inUse(dir string) bool {
	lock := filepath.Join(dir, stageLock)
	_, err := os.Lstat(lock)
	return err == nil && !durable.Unused(lock)
}

// clean puts the neighbourhood of a run's name in order after work that was
// killed, and returns what it did in sentences: folders that nobody works on are
// removed, and an earlier run that had stepped aside for one that never came
// goes back to its name. The lock of the name is held: a folder that nobody
// works on is not about to be renamed either.
func clean(files durable.FS, target string) (done []string, err error) {
	temps := durable.Temps(target)
	if len(temps) == 0 {
		return nil, nil
	}
	// Only what is on the disk may count: a rename that is not would bring back
	// what is removed now.
	if err := files.SyncDir(filepath.Dir(target)); err != nil {
		return nil, err
	}
	removed := 0
	for _, temp := range temps {
		switch {
		case strings.HasSuffix(temp, oldEnding) && missing(target):
			if err := files.RenameNew(temp, target); err != nil {
				return done, err
			}
			if err := files.SyncDir(filepath.Dir(target)); err != nil {
				return done, err
			}
			done = append(done, fmt.Sprintf("The earlier run %s is back in its place: the work that was to replace it was stopped half-way.", target))
		case strings.HasSuffix(temp, oldEnding) && !IsRun(target):
			done = append(done, fmt.Sprintf("An earlier run of the name %s is in %s: the work that was to replace it was stopped half-way.", target, temp))
		case !inUse(temp):
			if err := files.RemoveAll(temp); err != nil {
				return done, err
			}
			removed++
		}
	}
	if removed > 0 {
		done = append(done, fmt.Sprintf("Removed %s that stopped work had left beside %s.", count(removed, "unfinished folder"), target))
	}
	return done, nil
}

// cleanBeside removes the folders and files that killed work of other names left beside
// a run: they hold records, and their names may never be used again. Folders that
// hold an earlier run wait for their name.
func cleanBeside(files durable.FS, target string) (done []string) {
	if removed := removeBeside(files, target); removed > 0 {
		done = append(done, fmt.Sprintf("Removed %s with records that stopped work had left beside %s.", count(removed, "unfinished folder"), target))
	}
	if removed := durable.SweepBeside(files, target); removed > 0 {
		done = append(done, fmt.Sprintf("Removed %s that stopped work had left beside %s.", count(removed, "unfinished file"), target))
	}
	return done
}

func removeBeside(files durable.FS, target string) (removed int) {
	for temp, other := range durable.Beside(target) {
		info, err := os.Lstat(temp)
		if err != nil || !info.IsDir() || strings.HasSuffix(temp, oldEnding) || inUse(temp) {
			continue
		}
		name, err := files.TryLock(nameLock(other))
		if err != nil {
			continue
		}
		if !inUse(temp) && isStage(files, temp) && files.RemoveAll(temp) == nil {
			removed++
		}
		release(name)
	}
	return removed
}

// isStage reports that a folder under a temporary name is one of this package's. It has its
// lock, but for two moments in which the lock of the name protects it: before anything is in
// it, and when all is written and it is about to be renamed (finish). The lock of the name is
// held.
func isStage(files durable.FS, temp string) bool {
	if !missing(filepath.Join(temp, stageLock)) {
		return true
	}
	if IsRun(temp) {
		return files.SyncDir(filepath.Dir(temp)) == nil // as in clean: only what is on the disk counts
	}
	list, err := os.ReadDir(temp)
	return err == nil && len(list) == 0
}

// Tidy removes what killed work has left in a folder of runs: unfinished folders, which
// hold records, and unfinished files in the named folders of it. What somebody works on
// stays. It returns how many there were.
func Tidy(dir string, folders ...string) int {
	const nobody = " " // no run is called that
	files := durable.OS{}
	n := removeBeside(files, filepath.Join(dir, nobody))
	locks, _ := filepath.Glob(filepath.Join(dir, ".*"+lockEnding)) // the pattern is one
	for _, lock := range locks {
		if l, err := files.TryLock(lock); err == nil { // nobody holds it
			release(l)
		}
	}
	for _, folder := range folders {
		n += durable.SweepBeside(files, filepath.Join(dir, folder, nobody))
	}
	return n
}

// cleanEdits removes what killed edits left in the folder of a run, and returns
// how many files that were.
func cleanEdits(files durable.FS, dir string) int {
	return durable.Sweep(files, filepath.Join(dir, editsFile))
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
