package warn_test

import (
	"fmt"

	"github.com/moiety-go/moiety/warn"
)

// A warning is a sentence and what to do about it; its code is for programs.
func ExampleNew() {
	w := warn.New(warn.Caution, "few-records", "Read more of them.", "Only %d records were read.", 12)
	fmt.Println(w)
	fmt.Println(w.Code, w.Weight)
	// Output:
	// Only 12 records were read. Read more of them.
	// few-records 2
}
