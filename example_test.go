package moiety_test

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/agree"
	"github.com/moiety-go/moiety/fit"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/synth"
	"github.com/moiety-go/moiety/vocab"
)

func Example() {
	set := synth.ExponentialBernoulli(1, 5000, 60, 3, synth.UniformWeights)
	data := fit.Data{
		Run:   pass.NewLocal(set.Rows, 0), // all cores; the result does not depend on their number
		Rows:  set.Rows.N(),
		Vocab: vocab.Numbered(set.Rows.Dim),
		Kind:  record.Presence,
	}
	out, err := fit.Flat(context.Background(), data, fit.Settings{K: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	found := make([]int, len(out.Group))
	for i, g := range out.Group {
		found[i] = int(g)
	}
	ari, err := agree.ARI(found, set.Labels)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("model:", out.Model.Spec.Model)
	fmt.Printf("shares of the groups: %.2f\n", out.Model.Params.Weights)
	fmt.Printf("agreement with the truth: %.2f\n", ari)
	// Output:
	// model: bernoulli
	// shares of the groups: [0.43 0.39 0.18]
	// agreement with the truth: 0.98
}
