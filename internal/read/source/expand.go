package source

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// Stdin is the argument that stands for standard input.
const Stdin = "-"

// Expand turns arguments into inputs: "-" is standard input, a folder gives
// its files (without hidden ones, in sorted order, sub-folders included), a
// pattern with * ? [ gives its matches in sorted order.
func Expand(args []string) ([]Input, error) {
	var inputs []Input
	for _, arg := range args {
		more, err := expandOne(arg)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, more...)
	}
	if len(inputs) == 0 {
		return nil, fmt.Errorf("no input given; name a file, a folder, or - for standard input: %w", ErrEmpty)
	}
	if err := noLakes(inputs); err != nil {
		return nil, err
	}
	return withTotals(inputs), nil
}

func expandOne(arg string) ([]Input, error) {
	if arg == Stdin {
		return []Input{Reader("standard input", os.Stdin)}, nil
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir() && isRun(arg):
		return nil, notData(ErrNoData, "%s is a run folder, not data: look at it with \"moiety show %s\", or group the records of one of its groups again with \"moiety fit --within %s:1.1\"", arg, arg, arg)
	case err == nil && info.IsDir():
		return folder(arg)
	case err == nil:
		return files([]string{arg})
	case isAddress(arg):
		return nil, absent(arg, err)
	case strings.ContainsAny(arg, "*?["):
		matches, globErr := filepath.Glob(arg)
		if globErr != nil {
			return nil, fmt.Errorf("the pattern %q is not valid: %w", arg, globErr)
		}
		matches = slices.DeleteFunc(matches, IsCache)
		if len(matches) == 0 {
			return nil, fmt.Errorf("no file matches %q: %w", arg, fs.ErrNotExist)
		}
		return files(matches)
	default:
		return nil, absent(arg, err)
	}
}

// CacheEnding ends the names of files that keep encoded data beside the data.
const CacheEnding = ".moiety-cache"

// IsCache reports names of such files, of which no data are read unless they are
// named.
func IsCache(name string) bool {
	return strings.HasSuffix(name, CacheEnding) || strings.HasSuffix(name, CacheEnding+".json")
}

// isLeft reports what programs leave in folders: locks of open workbooks, the looks of
// a folder.
func isLeft(name string) bool {
	return strings.HasPrefix(name, "~$") || strings.EqualFold(name, "Thumbs.db") || strings.EqualFold(name, "desktop.ini")
}

// folder lists the files under root; symbolic links to folders are not
// followed, so that a loop cannot hang the reading.
func folder(root string) ([]Input, error) {
	var paths []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("cannot list %s: %w", path, err)
		}
		if hidden := strings.HasPrefix(d.Name(), "."); hidden && path != root {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if IsCache(d.Name()) || isLeft(d.Name()) {
			return nil
		}
		if d.Type().IsRegular() || d.Type()&fs.ModeSymlink != 0 {
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("the folder %s holds no files: %w", root, ErrEmpty)
	}
	sort.Strings(paths)
	paths, papers := withoutPapers(paths)
	inputs, err := files(paths)
	if err == nil {
		inputs[0].Papers = papers
	}
	return inputs, err
}

// files opens paths that come from a list; folders among them are skipped.
func files(paths []string) ([]Input, error) {
	inputs := make([]Input, 0, len(paths))
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			continue
		}
		in, err := File(path)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, in)
	}
	if len(inputs) == 0 {
		return nil, fmt.Errorf("only folders match %q, name files or one folder: %w", paths[0], ErrEmpty)
	}
	return inputs, nil
}

// withTotals tells every input its place in the whole, for progress.
func withTotals(inputs []Input) []Input {
	var total int64
	known := true
	for i := range inputs {
		inputs[i].before = total
		known = known && inputs[i].size >= 0
		total += max(inputs[i].size, 0)
	}
	for i := range inputs {
		inputs[i].total = 0
		if known {
			inputs[i].total = total
		}
	}
	return inputs
}
