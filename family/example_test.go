package family_test

import (
	"fmt"

	"github.com/moiety-go/moiety/family"
)

// Info is all that others may know of a family: they ask it for the unit of a
// center and never compare names.
func ExampleInfo() {
	info := family.Info{Name: "poisson", Group: "group", Unit: family.Only(family.Average)}
	fmt.Println(info.Is(family.Average), info.Is(family.WordShare))
	// Output: true false
}
