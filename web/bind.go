package web

import (
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/api"
)

// bind fills the fields of a request from the path and the query, by their names
// in JSON; the path wins.
func bind(q any, r *http.Request, path string) error {
	v := reflect.ValueOf(q).Elem()
	values := r.URL.Query()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if strings.Contains(path, "{"+name+"}") {
			v.Field(i).SetString(r.PathValue(name))
			continue
		}
		if err := set(v.Field(i), name, values); err != nil {
			return err
		}
	}
	return nil
}

// set fills one field from the query, where it is there.
func set(f reflect.Value, name string, values url.Values) error {
	if !values.Has(name) {
		return nil
	}
	word := values.Get(name)
	bad := &api.Error{Kind: api.Refused, Message: "The value of " + name + " cannot be understood."}
	switch f.Kind() {
	case reflect.String:
		f.SetString(word)
	case reflect.Int:
		n, err := strconv.Atoi(word)
		if err != nil {
			return bad
		}
		f.SetInt(int64(n))
	case reflect.Bool:
		on, err := strconv.ParseBool(word)
		if err != nil {
			return bad
		}
		f.SetBool(on)
	}
	return nil
}
