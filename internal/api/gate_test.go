package api_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/api"
)

// TestResponsesAreBehindTheGate: no field of a response is a bare number, unless
// its tag says what it is; the types of explain have a test of their own.
func TestResponsesAreBehindTheGate(t *testing.T) {
	a, _, _ := workbench(t)
	seen := map[reflect.Type]bool{}
	fields := 0
	var visit func(reflect.Type)
	visit = func(x reflect.Type) {
		for x.Kind() == reflect.Pointer || x.Kind() == reflect.Slice || x.Kind() == reflect.Map {
			x = x.Elem()
		}
		if x.Kind() != reflect.Struct || seen[x] || !strings.HasSuffix(x.PkgPath(), "internal/api") {
			return
		}
		seen[x] = true
		for i := range x.NumField() {
			f := x.Field(i)
			fields++
			k := f.Type
			for k.Kind() == reflect.Slice || k.Kind() == reflect.Pointer {
				k = k.Elem()
			}
			if f.Tag.Get("gate") == "" && k.Kind() >= reflect.Int && k.Kind() <= reflect.Float64 {
				t.Errorf("%s.%s is a bare number: let it be an report.Count or report.Number, or say in a tag what it is", x, f.Name)
			}
			visit(f.Type)
		}
	}
	for _, c := range a.Calls() {
		visit(c.Response)
	}
	for _, result := range []any{api.Read{}, api.Light{}, api.Scored{}} {
		visit(reflect.TypeOf(result))
	}
	if fields < 50 {
		t.Errorf("%d fields found: the test tests nothing", fields)
	}
}
