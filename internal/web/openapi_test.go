package web_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/web"
	"github.com/moiety-go/moiety/report"
)

var update = flag.Bool("update", false, "write the OpenAPI file anew")

// object is a piece of JSON.
type object = map[string]any

// describer turns types into schemas.
type describer struct{ schemas object }

func (d *describer) schema(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[report.Count]():
		return object{"type": []string{"integer", "null"}, "description": "null where it is withheld"}
	case reflect.TypeFor[report.Number]():
		return object{"type": []string{"number", "null"}, "description": "null where it is withheld"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.schema(t.Elem())
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return object{}
		}
		return object{"type": "array", "items": d.schema(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": d.schema(t.Elem())}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Struct:
		return d.structure(t)
	case reflect.Interface:
		return object{}
	}
	return object{"type": "integer"}
}

func (d *describer) structure(t reflect.Type) object {
	if !strings.HasSuffix(t.PkgPath(), "internal/api") {
		return object{"type": "object", "description": "as in the JSON of the command line: " + t.Name()}
	}
	ref := object{"$ref": "#/components/schemas/" + t.Name()}
	if _, ok := d.schemas[t.Name()]; ok {
		return ref
	}
	d.schemas[t.Name()] = nil
	fields := object{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		fields[name] = d.schema(f.Type)
	}
	d.schemas[t.Name()] = object{"type": "object", "properties": fields}
	return ref
}

var inPath = regexp.MustCompile(`\{(\w+)\}`)

// openAPI describes all functions.
func described(calls []api.Call) ([]byte, error) {
	d := &describer{object{}}
	paths := object{}
	failure := object{"description": "An error in words for people", "content": object{"application/json": object{"schema": object{
		"type": "object", "properties": object{"error": d.schema(reflect.TypeFor[api.Error]())},
	}}}}
	add := func(path, method string, operation object) {
		at, ok := paths[path].(object)
		if !ok {
			at = object{}
			paths[path] = at
		}
		at[strings.ToLower(method)] = operation
	}
	for _, c := range calls {
		var parameters []object
		for _, m := range inPath.FindAllStringSubmatch(c.Path, -1) {
			parameters = append(parameters, object{"name": m[1], "in": "path", "required": true, "schema": object{"type": "string"}})
		}
		for i := range c.Request.NumField() {
			f := c.Request.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if c.Method == "GET" && !strings.Contains(c.Path, "{"+name+"}") {
				parameters = append(parameters, object{"name": name, "in": "query", "schema": d.schema(f.Type)})
			}
		}
		operation := object{"operationId": c.Name, "summary": c.Summary, "responses": object{
			"200":     object{"description": "The answer", "content": object{"application/json": object{"schema": d.schema(c.Response)}}},
			"default": failure,
		}}
		if parameters != nil {
			operation["parameters"] = parameters
		}
		if c.Method == "POST" {
			operation["requestBody"] = object{"content": object{"application/json": object{"schema": d.schema(c.Request)}}}
		}
		add(c.Path, c.Method, operation)
	}
	text := func(name, summary string) object {
		return object{"name": name, "in": "query", "description": summary, "schema": object{"type": "string"}}
	}
	inPathOf := func(name string) object {
		return object{"name": name, "in": "path", "required": true, "schema": object{"type": "string"}}
	}
	file := object{"200": object{"description": "The file"}, "default": failure}
	add("/api/data", "PUT", object{"operationId": "upload", "summary": "Keep a file of data: the body is the file", "parameters": []object{text("name", "what it is called")}, "responses": object{
		"200": object{"description": "What was kept", "content": object{"application/json": object{"schema": d.schema(reflect.TypeFor[api.DataFile]())}}}, "default": failure,
	}})
	add("/api/jobs/{job}/events", "GET", object{"operationId": "events", "summary": "How far work is, as server-sent events, until it is over", "parameters": []object{inPathOf("job")}, "responses": object{"200": object{"description": "A stream of jobs"}, "default": failure}})
	add("/api/runs/{run}/export/{format}", "GET", object{"operationId": "export", "summary": "A run in another form", "parameters": []object{
		inPathOf("run"), inPathOf("format"), text("share", "true: fit to be shared"), text("lambda", "0 to 1"), text("title", "of a report"), text("full", "true: a PDF with every node"), text("language", "en or es: of the map of topics"), text("inline", "as a page and not as a file"),
	}, "responses": file})
	add("/api/runs/{run}/scores", "GET", object{"operationId": "scores", "summary": "Where every record of new data belongs, one line each", "parameters": []object{inPathOf("run"), text("data", "the data file")}, "responses": file})
	doc := object{
		"openapi": "3.1.0", "info": object{"title": "moiety workbench", "version": "1", "description": "Every path needs the token: as the parameter token, or in the header Authorization: Bearer. Numbers that are withheld are null."},
		"paths": paths, "components": object{"schemas": d.schemas, "securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}}}, "security": []object{{"token": []string{}}},
	}
	b, err := json.MarshalIndent(doc, "", "  ")
	return append(deep.ReplaceAll(b, nil), '\n'), err
}

// deep are breaks of lines below a path or a schema: the program carries the file, and half
// of it would be spaces.
var deep = regexp.MustCompile(`\n {8,}`)

// TestOpenAPI holds the file against the functions; -update writes it anew.
func TestOpenAPI(t *testing.T) {
	f, err := api.NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	want, err := described(api.New(t.Context(), f, time.Now).Calls())
	if err != nil {
		t.Fatal(err)
	}
	const path = "assets/openapi.json"
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != string(want) {
		t.Errorf("%s is not what the functions are: write it anew with go test ./internal/web -run TestOpenAPI -update, and go generate ./internal/web", path)
	}
	c, _ := newClient(t, web.Options{})
	if status, served := c.Send("GET", "/api/openapi.json", nil); status != http.StatusOK || served != string(want) {
		t.Errorf("status %d, and what is served is not %s: run go generate ./internal/web", status, path)
	}
}

// TestDoorKnowsEveryCall holds the routes of the pages against the functions.
func TestDoorKnowsEveryCall(t *testing.T) {
	text, err := os.ReadFile("assets/door.js")
	if err != nil {
		t.Fatal(err)
	}
	f, err := api.NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	calls := api.New(t.Context(), f, time.Now).Calls()
	for _, c := range calls {
		line := "  " + c.Name + `: ["` + c.Method + `", "` + c.Path + `"],`
		if !strings.Contains(string(text), line+"\n") {
			t.Errorf("door.js does not have %s", line)
		}
	}
	if n := strings.Count(string(text), `: ["`); n != len(calls) {
		t.Errorf("door.js has %d routes for %d functions", n, len(calls))
	}
}
