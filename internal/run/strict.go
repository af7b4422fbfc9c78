package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// strictly reads JSON into a struct; a key that the struct does not know, at any
// depth, and one of the required keys that is not there are errors.
func strictly(text []byte, into any, required []string) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something stands behind the end")
	}
	return hasKeys(text, required)
}

// loosely reads JSON of an earlier program into a struct: it must have exactly
// the keys of its time, but what is inside of them may have changed since.
func loosely(text []byte, into any, keys []string) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	for key := range values {
		if !slices.Contains(keys, key) {
			return fmt.Errorf("the key %q is unknown", key)
		}
	}
	if err := hasKeys(text, keys); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// hasKeys reports the first required key that is missing or null.
func hasKeys(text []byte, required []string) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return err
	}
	for _, key := range required {
		if value, ok := keys[key]; !ok {
			return fmt.Errorf("the key %q is missing", key)
		} else if string(value) == "null" && !slices.Contains([]string{"inputs", "warnings"}, key) {
			return fmt.Errorf("the key %q has no value", key)
		}
	}
	return nil
}

// keysOf lists the keys that a struct always has in JSON.
func keysOf(of any) []string {
	var out []string
	t := reflect.TypeOf(of)
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name != "" && name != "-" && !strings.Contains(options, "omitempty") {
			out = append(out, name)
		}
	}
	return out
}
