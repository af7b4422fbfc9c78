package decompose

import (
	"context"
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/internal/suggest"
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
	for _, m := range Methods() {
		if m.Name == name {
			return m.Method, nil
		}
		names = append(names, m.Name)
	}
	return nil, fmt.Errorf("decompose: unknown method %q%s; choose one of %s", name, suggest.Hint(name, names), strings.Join(names, ", "))
}
