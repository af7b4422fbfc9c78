package vocab_test

import (
	"fmt"

	"github.com/moiety-go/moiety/vocab"
)

// A column of answers has a feature for each of them.
func ExampleVocab() {
	v := vocab.New([]string{"smokes=no", "smokes=yes", "age"})
	v.Columns = []vocab.Column{
		{Name: "smokes", Kind: vocab.Categorical, From: 0, To: 2},
		{Name: "age", Kind: vocab.Real, From: 2, To: 3},
	}
	fmt.Println(v.Len(), v.Index()["smokes=yes"], v.Columns[1].Kind)
	// Output: 3 1 real
}
