package jsonl

import (
	"context"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Tables as programs of analysis write them in JSON, and the lines they become.
func TestFrames(t *testing.T) {
	const plain = `{"a":1,"b":"x"} {"a":2,"b":"y"}`
	const numbered = `{"row":"0","a":1,"b":"x"} {"row":"1","a":2,"b":"y"}`
	for text, want := range map[string]string{
		`{"a":[1,2],"b":["x","y"]}`:                                    plain,
		`{"columns":["a","b"],"data":[[1,"x"],[2,"y"]]}`:               plain,
		`{"columns":["a","b"],"index":[7,8],"data":[[1,"x"],[2,"y"]]}`: `{"row":7,"a":1,"b":"x"} {"row":8,"a":2,"b":"y"}`,
		`{"a":{"0":1,"1":2},"b":{"0":"x","1":"y"}}`:                    numbered,
		`{"0":{"a":1,"b":"x"},"1":{"a":2,"b":"y"}}`:                    numbered,
		`{"p":{"a":1,"b":2},"q":{"a":3,"b":4},"r":{"a":5}}`:            `{"row":"p","a":1,"b":2} {"row":"q","a":3,"b":4} {"row":"r","a":5}`,
		`[["a","b"],[1,"x"],[2,"y"]]`:                                  plain,
		`[[1,"x"],[2,"y"]]`:                                            `{"column1":1,"column2":"x"} {"column1":2,"column2":"y"}`,
		`[["u","x"],["v","y"]]`:                                        `{"column1":"u","column2":"x"} {"column1":"v","column2":"y"}`,
		`["it rained", "it \"poured\""]`:                               `{"text":"it rained"} {"text":"it \"poured\""}`,
		"{\n\"a\": [1, 2],\n\"b\": [\"x\", \"y\"]\n}":                  plain,
		`{"meta":{"n":2},"rows":[{"a":1,"b":"x"},{"a":2,"b":"y"}]}`:    plain,
		"{\n\"a\": [1, 2],\n\"b\": [3]\n}":                             `{"a":[1,2],"b":[3]}`, // one object
		"{\n\"a\": {\"0\": [1]}, \"b\": {\"0\": 2}\n}":                 `{"a":{"0":[1]},"b":{"0":2}}`,
		"{\n\"resourceType\": \"Patient\", \"name\": [1, 2]\n}":        `{"resourceType":"Patient","name":[1,2]}`,
	} {
		if !IsWhole([]byte(text), true) {
			t.Errorf("%s is one document", text)
			continue
		}
		in, err := Lines(context.Background(), source.Bytes("t", []byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := textOf(in)
		if got = strings.ReplaceAll(strings.TrimSpace(got), "\n", " "); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", text, got, err, want)
		}
	}
	for _, long := range []string{`{"a":{"0":1,"1":2`, `{"0":{"a":1,"b":2},"1":{"a`, `{"a":[1,2,3,4`, `{"columns":["a","b"],"data":[[1`} {
		if !IsWhole([]byte(long), false) {
			t.Errorf("%s … is the start of one document", long)
		}
	}
	for _, lines := range []string{`{"a":1,"b":[1,2]}` + "\n" + `{"a":2,"b":[3]}`, `{"tokens":["a","b"]}` + "\n" + `{"tokens":["c"]}`} {
		if IsWhole([]byte(lines), true) {
			t.Errorf("%s are lines", lines)
		}
	}
}

// What JSON has no number for is missing.
func TestNoNumbers(t *testing.T) {
	text := `{"a":NaN,"b":-Infinity,"c":[NaN,NaN],"d":1}` + "\n" + `{"a":2,"b":3,"d":"NaN, really"}` + "\n" + `{"a":NaNa,"b":3}` + "\n"
	p := new(record.Problems)
	tables, _, err := Table(context.Background(), []source.Input{source.Bytes("t", []byte(text))}, "", p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := textOf(tables[0])
	if want := "a,b,d\n,,1\n2,3,\"NaN, really\"\n\n"; err != nil || got != want || p.Skipped != 1 {
		t.Errorf("%q, %v, %d malformed, want %q and one", got, err, p.Skipped, want)
	}
}
