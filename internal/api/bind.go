package api

import (
	"reflect"
	"strconv"
	"strings"
)

// Bind fills the fields of a request from words, by their names in JSON; value
// says the word of a field, and whether there is one.
func Bind(request any, value func(name string) (string, bool)) error {
	v := reflect.ValueOf(request).Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		word, ok := value(name)
		if !ok {
			continue
		}
		if err := set(v.Field(i), word); err != nil {
			return refused("The value of %s cannot be understood.", name)
		}
	}
	return nil
}

// set fills one field from a word.
func set(f reflect.Value, word string) error {
	switch f.Kind() {
	case reflect.String:
		f.SetString(word)
	case reflect.Int:
		n, err := strconv.Atoi(word)
		if err != nil {
			return err
		}
		f.SetInt(int64(n))
	case reflect.Bool:
		on, err := strconv.ParseBool(word)
		if err != nil {
			return err
		}
		f.SetBool(on)
	}
	return nil
}
