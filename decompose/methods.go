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
	Paper  string // where it is described
	Words  string // how it finds the components, in a clause
}

// Methods returns all methods in a fixed order, the default first.
func Methods() []Named {
	return []Named{
		{"auto", Auto, "[T] ch. 2 and 5, joined", "joint diagonalisation and the rotation of the whole core, the likelier answer kept"},
		{"svtd", SVTD, "[T] Alg. 1, [S] Alg. 1, [P] App. C", "eigenvectors of the slice of one feature, the one that tells all components apart best"},
		{"svtd-removed", SVTDRemoved, "[S] Alg. 2", "the same, each slice whitened without its own feature"},
		{"sidiwo", SIDIWO, "[T] Alg. 3, [H] Alg. 1", "the rotation that leaves least off the diagonals of all slices; --slices all is the paper's own objective"},
		{"tpm", TPM, "[T] 1.3, [L]", "tensor power method with deflation"},
		{"svd", SVD, "[T] 1.3, Anandkumar 2012a", "singular vectors of one random contraction"},
		{"eigen", Eigen, "[S] 4, Anandkumar 2012b", "eigenvectors of one random contraction"},
		{"jennrich", Jennrich, "[L]", "simultaneous eigenvectors of two contractions"},
		{"als", ALS, "[T] 1.3", "alternating least squares on the whitened core"},
		{"als-direct", ALSDirect, "[T] Fig. 2.1", "alternating least squares on M3 itself, for at most 60 features"},
		{"random-projections", RandomProjections, "Kuleshov 2015, beside [T] 5", "joint diagonalisation of many random contractions"},
		{"three-view", ThreeView, "[T] Fig. 4.1 (3V-MoM), Anandkumar 2012b", "three random thirds of the features, products between them only"},
		{"three-view-tpm", ThreeViewTPM, "[T] Fig. 4.1 (3V-TPM), Anandkumar 2014", "the same, with the tensor power method"},
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

// SVTDRemoved is SVTD as [S] Alg. 2 has it.
func SVTDRemoved(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	o.RemoveFeature = true
	return SVTD(ctx, src, k, o)
}

// ALSDirect is ALS without whitening, for at most DirectDim features.
func ALSDirect(ctx context.Context, src moment.Source, k int, o Options) (*Result, error) {
	o.Direct = true
	return ALS(ctx, src, k, o)
}
