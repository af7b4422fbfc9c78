package show

import (
	"encoding/json"
	"reflect"
)

// whole returns a copy of a value in which no list is nil: a list without things
// in it is written [], whatever the model, so that programs need not ask.
func whole(v any) any {
	if v == nil {
		return nil
	}
	return filled(reflect.ValueOf(v)).Interface()
}

// own reports types that write themselves.
func own(t reflect.Type) bool {
	marshaler := reflect.TypeFor[json.Marshaler]()
	return t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler)
}

func filled(v reflect.Value) reflect.Value {
	t := v.Type()
	if own(t) {
		return v
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(t.Elem())
		out.Elem().Set(filled(v.Elem()))
		return out
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(t).Elem()
		out.Set(filled(v.Elem()))
		return out
	case reflect.Slice:
		out := reflect.MakeSlice(t, v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(filled(v.Index(i)))
		}
		return out
	case reflect.Struct:
		out := reflect.New(t).Elem()
		out.Set(v)
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				out.Field(i).Set(filled(v.Field(i)))
			}
		}
		return out
	}
	return v
}

// MarshalJSON writes a value as JSON with two blanks for every level; lists are
// never null, and nothing in it disturbs a terminal.
func MarshalJSON(v any) ([]byte, error) {
	b, err := json.MarshalIndent(whole(v), "", "  ")
	if err != nil {
		return nil, err
	}
	return []byte(harmlessJSON(string(b))), nil
}
