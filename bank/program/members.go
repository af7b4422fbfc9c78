package program

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/moiety-go/moiety/bank/draw"
)

// members reads the group of every key from the tables of a run: of records
// assignments.csv, of sequences the state of every step in steps.csv.
func members(tables string, f draw.File) ([]string, error) {
	name, keys := "assignments.csv", []string{"id"}
	if f.Steps {
		name, keys = "steps.csv", []string{"id", "step"}
	}
	groups, err := readGroups(filepath.Join(tables, name), keys)
	if err != nil {
		return nil, err
	}
	placed := make([]string, len(f.Keys))
	for i, key := range f.Keys {
		placed[i] = groups[key]
		delete(groups, key)
	}
	if len(groups) > 0 {
		return nil, fmt.Errorf("%s places %d records that are not in the file", name, len(groups))
	}
	return placed, nil
}

// readGroups reads a table into a map from the columns of the key, joined by commas,
// to the column "group".
func readGroups(path string, keys []string) (map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0][:min(len(keys), len(rows[0]))], keys) {
		return nil, fmt.Errorf("%s does not begin with the columns %v", filepath.Base(path), keys)
	}
	column := slices.Index(rows[0], "group")
	if column < 0 {
		return nil, fmt.Errorf("%s has no column of groups", filepath.Base(path))
	}
	groups := make(map[string]string, len(rows))
	for _, row := range rows[1:] {
		groups[join(row[:len(keys)])] = row[column]
	}
	return groups, nil
}

// join joins the cells of a key as the keys of a file are.
func join(cells []string) string {
	if len(cells) == 1 {
		return cells[0]
	}
	return cells[0] + "," + cells[1]
}
