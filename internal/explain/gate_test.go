package explain_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/report"
)

// gated lists what writers are handed: values all of whose numbers are behind the
// gate.
var gated = []any{report.Report{}, report.Comparison{}, report.FeatureTree{}, explain.Encoded{}, explain.Applied{}}

// TestNumbersAreBehindTheGate: a number in what writers are handed is one that
// can be withheld (Count, Number), or its tag says what it is instead: a setting,
// an index, a number of features or groups. A new field of another kind fails
// here, before anybody's health is reported by it.
func TestNumbersAreBehindTheGate(t *testing.T) {
	for _, x := range gated {
		if bad := rawNumbers(reflect.TypeOf(x), "", map[reflect.Type]bool{}); len(bad) > 0 {
			t.Errorf("%T: numbers that cannot be withheld, or have no tag gate that says why they need not: %s", x, strings.Join(bad, ", "))
		}
	}
	type leak struct{ Patients int }
	if len(rawNumbers(reflect.TypeOf(leak{}), "", map[reflect.Type]bool{})) != 1 {
		t.Error("the test finds no leak")
	}
}

// rawNumbers lists the fields of a type that are bare numbers without a tag.
func rawNumbers(t reflect.Type, path string, seen map[reflect.Type]bool) []string {
	switch t {
	case reflect.TypeOf(report.Count{}), reflect.TypeOf(report.Number{}):
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 { // text
			return nil
		}
		return rawNumbers(t.Elem(), path, seen)
	case reflect.Struct:
		if seen[t] {
			return nil
		}
		seen[t] = true
		var out []string
		for f := range t.Fields() {
			if f.Tag.Get("gate") == "" {
				out = append(out, rawNumbers(f.Type, path+"."+f.Name, seen)...)
			}
		}
		return out
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return []string{path}
	}
	return nil
}
