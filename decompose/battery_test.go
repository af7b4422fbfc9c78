package decompose_test

import (
	"testing"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/decomposetest"
)

func TestBattery(t *testing.T) {
	// One random contraction may have close eigenvalues, and the eigenvectors
	// then lose as many digits.
	const oneDirection = 1e3
	promises := map[string]decomposetest.Promises{
		"svd":            {Slack: oneDirection},
		"eigen":          {Slack: oneDirection},
		"jennrich":       {Slack: oneDirection},
		"svtd-removed":   {OffSpan: true},
		"als-direct":     {Unwhitened: true, Slack: 1e3},
		"three-view":     {Unwhitened: true, OffSpan: true, Slack: 1e4, Views: 3},
		"three-view-tpm": {Unwhitened: true, OffSpan: true, Slack: 1e4, Views: 3},
	}
	for _, m := range decompose.Methods() {
		decomposetest.Run(t, m.Name, m.Method, promises[m.Name])
	}
	decomposetest.Run(t, "sidiwo, all slices", decompose.SIDIWO, decomposetest.Promises{Options: decompose.Options{AllSlices: true}})
	decomposetest.Run(t, "asvtd", decompose.ASVTD, decomposetest.Promises{})
	decomposetest.Run(t, "auto, no rows", decompose.Auto, decomposetest.Promises{Options: decompose.Options{SkipRows: true}})
}
