package web

import (
	"net/http"
	"strings"

	"github.com/moiety-go/moiety/internal/api"
)

// bind fills the fields of a request from the path and the query, by their names
// in JSON; the path wins.
func bind(q any, r *http.Request, path string) error {
	values := r.URL.Query()
	return api.Bind(q, func(name string) (string, bool) {
		if strings.Contains(path, "{"+name+"}") {
			return r.PathValue(name), true
		}
		return values.Get(name), values.Has(name)
	})
}
