package report_test

import (
	"fmt"

	"github.com/moiety-go/moiety/report"
)

// A number of people that may not be read is not there: not in words, not in JSON.
func ExampleCount() {
	many, withheld := report.CountOf(1204), report.Count{}
	text, err := withheld.MarshalJSON()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(many, many.Or(0), withheld.Masked(), string(text))
	// Output: 1,204 1204 true null
}

// Shares and averages are written as people read them.
func ExamplePercent() {
	fmt.Println(report.Percent(.4186), report.Percent(.0042), report.Percent(.9999), report.Amount(12.345), report.Times(4.08))
	// Output: 42 % 0.42 % over 99.9 % 12.3 4.1
}

// A report of health data keeps small counts to itself, one that is to be shared
// also those of other data.
func ExampleSettings_Limit() {
	fmt.Println(report.Settings{}.Limit(), report.Settings{Health: true}.Limit(), report.Settings{Share: true, MinCell: 20}.Limit())
	// Output: 0 11 20
}
