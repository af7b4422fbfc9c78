package decompose

import (
	"context"
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/moment"
)

// A Method decomposes the moments of src into k components.
type Method func(ctx context.Context, src moment.Source, k int, o Options) (*Result, error)

// Named is a method and its word on the command line.
type Named struct {
	Name   string
	Method Method
}

// Methods returns all methods in a fixed order, the default first.
func Methods() []Named {
	return []Named{
		{"auto", Auto},
		{"svtd", SVTD},
		{"sidiwo", SIDIWO},
		{"tpm", TPM},
		{"svd", SVD},
		{"eigen", Eigen},
		{"jennrich", Jennrich},
		{"als", ALS},
		{"random-projections", RandomProjections},
	}
}

// ByName returns the method of that name; "" is the default.
func ByName(name string) (Method, error) {
	if name == "" {
		return Auto, nil
	}
	var names []string
	best, least := "", len(name)/2+1
	for _, m := range Methods() {
		if m.Name == name {
			return m.Method, nil
		}
		names = append(names, m.Name)
		if d := edits(strings.ToLower(name), m.Name); d < least {
			best, least = m.Name, d
		}
	}
	hint := ""
	if best != "" {
		hint = fmt.Sprintf(" (did you mean %q?)", best)
	}
	return nil, fmt.Errorf("decompose: unknown method %q%s; choose one of %s", name, hint, strings.Join(names, ", "))
}

// edits is the least number of inserted, removed or changed bytes that turn a
// into b.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
