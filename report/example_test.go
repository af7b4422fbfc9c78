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

// A group and a feature are printed in a line, without what is withheld.
func ExampleGroup_String() {
	heart := report.Feature{Title: "Heart failure", Of: report.OfRecords, Share: report.NumberOf(.88)}
	fmt.Println(report.Group{ID: "1.2", Name: "Heart and kidneys", N: report.CountOf(1593), Share: report.NumberOf(.099)})
	fmt.Println(report.Group{ID: "1.3", Name: "Withheld"})
	fmt.Println(heart, report.Feature{Title: "Gout"})
	// Output:
	// 1.2 Heart and kidneys: 1,593 (9.9 %)
	// 1.3 Withheld
	// Heart failure 88 % Gout
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
