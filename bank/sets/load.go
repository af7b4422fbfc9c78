package sets

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/bank/hands"
	"github.com/moiety-go/moiety/bank/law"
)

// Law returns a set out of the folder that fetch.py wrote, as a law whose every draw is
// the set itself.
func (s Set) Law(folder string) (hands.Law, error) {
	data, err := s.load(filepath.Join(folder, strings.ReplaceAll(s.Name, " ", "-")))
	if err != nil {
		return hands.Law{}, err
	}
	draw := func(*rand.Rand, int) law.Data { return data }
	return hands.Law{Law: law.Law{Name: s.Name, Kind: s.Kind, Groups: s.Groups, Draw: draw}, Hand: Hand, Part: s.Part}, nil
}

// load reads the records and classes of a set.
func (s Set) load(folder string) (law.Data, error) {
	name := "data.csv"
	if s.Kind == law.Texts {
		name = "data.txt"
	}
	records, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return law.Data{}, err
	}
	classes, err := os.ReadFile(filepath.Join(folder, "labels.csv"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return law.Data{}, err
	}
	if found := fmt.Sprintf("%x", sha256.Sum256(slices.Concat(records, classes))); s.SHA256 != "" && found != s.SHA256 {
		return law.Data{}, fmt.Errorf("%s is not what was recorded: fetch it again, or record it by fetch.py -record", folder)
	}
	data, err := s.data(records)
	data.Group = numbered(classes)
	if n := max(data.Records(), len(slices.Concat(data.Steps...))); err == nil && data.Group != nil && len(data.Group) != n {
		return law.Data{}, fmt.Errorf("%s: %d records and %d classes", folder, n, len(data.Group))
	}
	return data, err
}

// data makes records of a file's content.
func (s Set) data(content []byte) (law.Data, error) {
	if s.Kind == law.Texts {
		return law.Data{Texts: lines(content)}, nil
	}
	rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	if err != nil {
		return law.Data{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	if len(rows) < 2 {
		return law.Data{}, fmt.Errorf("%s: a header and no records", s.Name)
	}
	if s.Kind == law.Sequences {
		return law.Data{Steps: steps(rows[1:])}, nil
	}
	return law.Data{Columns: rows[0], Table: rows[1:]}, nil
}

// steps puts rows of id and value together by id; the rows of a sequence are neighbours.
func steps(rows [][]string) [][]string {
	var all [][]string
	for i, row := range rows {
		if i == 0 || row[0] != rows[i-1][0] {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], row[1])
	}
	return all
}

// numbered numbers the classes below a header from 0; nil of no content.
func numbered(content []byte) []int {
	if len(content) == 0 {
		return nil
	}
	numbers := map[string]int{}
	var groups []int
	for _, class := range lines(content)[1:] {
		if _, ok := numbers[class]; !ok {
			numbers[class] = len(numbers)
		}
		groups = append(groups, numbers[class])
	}
	return groups
}

// lines cuts a file into its lines; a last line may be empty.
func lines(content []byte) []string {
	return strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
}
