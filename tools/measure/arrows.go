package main

import (
	"go/ast"
	"maps"
	"slices"
)

// arrows counts the references between the files of a room, one for each pair of files and
// direction, and those that go up: where the file that is referred to leads back to the one
// that refers, so that no order of the files makes all references go down.
func (r *room) arrows() (all, up int) {
	to := r.references()
	for from, files := range to {
		for file := range files {
			all++
			if reaches(to, file, from, make(map[string]bool)) {
				up++
			}
		}
	}
	return all, up
}

// references returns the files that each file refers to: what a name means that the file
// itself does not declare.
func (r *room) references() map[string]map[string]bool {
	home := make(map[string]string)                          // of every name of the package
	for _, name := range slices.Sorted(maps.Keys(r.files)) { // of several systems the last
		for _, d := range r.files[name].Decls {
			for _, declared := range declared(d) {
				home[declared] = name
			}
		}
	}
	to := make(map[string]map[string]bool)
	for name, f := range r.files {
		to[name] = make(map[string]bool)
		for _, id := range f.Unresolved {
			if other, ok := home[id.Name]; ok && other != name {
				to[name][other] = true
			}
		}
	}
	return to
}

// declared returns the names that a declaration gives to the package.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

// reaches reports whether references lead from one file to another.
func reaches(to map[string]map[string]bool, from, goal string, seen map[string]bool) bool {
	if from == goal {
		return true
	}
	seen[from] = true
	for file := range to[from] {
		if !seen[file] && reaches(to, file, goal, seen) {
			return true
		}
	}
	return false
}
