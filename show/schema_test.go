package show_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

type object = map[string]any

// schemaOf writes the JSON Schema of a Go type: every key is required, none else
// is allowed.
func schemaOf(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[report.Number]():
		return object{"type": []any{"number", "null"}, "description": "null where it is withheld, or where there is none"}
	case reflect.TypeFor[report.Count]():
		return object{"type": []any{"integer", "null"}, "description": "null where it is withheld, or where there is none"}
	case reflect.TypeFor[json.RawMessage]():
		return object{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return object{"anyOf": []any{object{"type": "null"}, schemaOf(t.Elem())}}
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": schemaOf(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Struct:
		properties := object{}
		addFields(properties, t)
		required := []any{}
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			required = append(required, name)
		}
		return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Uint64, reflect.Uint32:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	}
	panic("no schema for " + t.String())
}

func addFields(properties object, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "-" && name != "" {
			properties[name] = schemaOf(f.Type)
		}
	}
}

// conforms reports the first place where a document is not as the schema says.
func conforms(schema object, v any, at string) error {
	if len(schema) == 0 {
		return nil // anything
	}
	if list, ok := schema["anyOf"].([]any); ok {
		for _, s := range list {
			if conforms(s.(object), v, at) == nil {
				return nil
			}
		}
		return fmt.Errorf("%s: none of the forms fits %v", at, v)
	}
	if want, ok := schema["type"]; ok && !isType(want, v) {
		return fmt.Errorf("%s is %T, want %v", at, v, want)
	}
	switch x := v.(type) {
	case object:
		properties, _ := schema["properties"].(object)
		for _, name := range schema["required"].([]any) {
			if _, ok := x[name.(string)]; !ok {
				return fmt.Errorf("%s lacks %s", at, name)
			}
		}
		for name, value := range x {
			s, ok := properties[name].(object)
			if !ok {
				return fmt.Errorf("%s has the key %s, which is not in the schema", at, name)
			}
			if err := conforms(s, value, at+"."+name); err != nil {
				return err
			}
		}
	case []any:
		for i, value := range x {
			if err := conforms(schema["items"].(object), value, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func isType(want, v any) bool {
	if list, ok := want.([]any); ok {
		return slices.ContainsFunc(list, func(w any) bool { return isType(w, v) })
	}
	switch x := v.(type) {
	case nil:
		return want == "null"
	case string:
		return want == "string"
	case bool:
		return want == "boolean"
	case float64:
		return want == "number" || want == "integer" && x == float64(int64(x))
	case []any:
		return want == "array"
	case object:
		return want == "object"
	}
	return false
}

// One schema for the reports of all models, which is the one in docs.
func TestSchema(t *testing.T) {
	schema := schemaOf(reflect.TypeFor[report.Report]())
	schema["properties"].(object)["format"] = object{"const": show.Format, "type": "string"}
	schema["required"] = append(schema["required"].([]any), "format")
	place := schemaOf(reflect.TypeFor[show.Place]())
	place["required"] = []any{"id"}
	schema["properties"].(object)["places"] = object{"type": "array", "items": place, "description": "of every record, with --probabilities all"}
	schema["$schema"], schema["title"] = "https://json-schema.org/draft/2020-12/schema", "moiety report, version 1"
	text, err := json.MarshalIndent(schema, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	path := filepath.Join("..", "docs", "report.schema.json")
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(written, text) {
		t.Errorf("docs/report.schema.json is not that of the report (%v): go test ./show -run TestSchema -update writes it", err)
	}
	var kept object
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	for name, r := range cases(t) {
		var b bytes.Buffer
		if err := show.JSON(&b, r); err != nil {
			t.Fatal(err)
		}
		var document any
		if err := json.Unmarshal(b.Bytes(), &document); err != nil {
			t.Fatal(err)
		}
		if err := conforms(kept, document, name); err != nil {
			t.Error(err)
		}
	}
	// The check can fail.
	for _, bad := range []string{`{}`, `{"format":1}`, `[]`} {
		var document any
		if err := json.Unmarshal([]byte(bad), &document); err != nil {
			t.Fatal(err)
		}
		if conforms(kept, document, "") == nil {
			t.Errorf("%s conforms", bad)
		}
	}
}
