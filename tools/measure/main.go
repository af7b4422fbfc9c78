// Measure counts what weighs in the house: lines of the product, functions and files that are
// too long, numbers in the rooms that judge, and references between the files of a room that
// no order of these files makes go down.
//
//	go run -C tools ./measure          the product beside this module
//	go run -C tools ./measure FOLDER   another one
//
// The product is every Go file of its module but tests, packages for tests, generators,
// scripts and docs.
package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

func main() {
	root := ".."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	rooms, err := read(root)
	if err == nil {
		err = write(os.Stdout, rooms)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// write prints the totals, the numbers of the rooms that judge, and the references of the
// largest rooms.
func write(w io.Writer, rooms map[string]*room) error {
	var lines, files, functions, longFiles, longFunctions, arrows, up int
	for _, r := range rooms {
		lines, files, functions = lines+r.lines, files+len(r.files), functions+r.functions
		longFiles, longFunctions = longFiles+r.longFiles, longFunctions+r.longFunctions
		a, u := r.arrows()
		arrows, up = arrows+a, up+u
	}
	fmt.Fprintf(w, "%-44s %8d\n", "lines of the product", lines)
	fmt.Fprintf(w, "%-44s %8d\n", "packages", len(rooms))
	fmt.Fprintf(w, "%-44s %8d\n", "files", files)
	fmt.Fprintf(w, "%-44s %8d\n", fmt.Sprintf("files over %d lines", longFile), longFiles)
	fmt.Fprintf(w, "%-44s %8d\n", "functions", functions)
	fmt.Fprintf(w, "%-44s %8d\n", fmt.Sprintf("functions over %d lines", longFunction), longFunctions)
	fmt.Fprintf(w, "%-44s %8d of %d\n", "references between files of a room, up", up, arrows)
	for _, name := range judging {
		constants, literals := 0, 0
		for path, r := range rooms {
			if within(path, name) {
				constants, literals = constants+r.constants, literals+r.literals
			}
		}
		fmt.Fprintf(w, "%-44s %8d + %d\n", "numbers in "+name+", constants + others", constants, literals)
	}
	fmt.Fprintf(w, "\n%-36s %8s %6s %18s %6s\n", "largest packages", "lines", "files", "references, up", "long")
	paths := slices.SortedFunc(maps.Keys(rooms), func(a, b string) int {
		return cmp.Or(rooms[b].lines-rooms[a].lines, cmp.Compare(a, b))
	})
	for _, path := range paths[:min(largest, len(paths))] {
		r := rooms[path]
		a, u := r.arrows()
		if _, err := fmt.Fprintf(w, "%-36s %8d %6d %11d, %5d %6d\n", path, r.lines, len(r.files), a, u, r.longFunctions); err != nil {
			return err
		}
	}
	return nil
}
