package main

import (
	"bytes"
	"slices"
	"testing"
)

// Bytes that browsers change, or that end the element, do not come as they are; all
// come back.
func TestEscaped(t *testing.T) {
	var all []byte
	for i := range 512 {
		all = append(all, byte(i), byte(i*7))
	}
	text := escaped(all)
	if bytes.ContainsAny(text, "\x00\r<") {
		t.Error("a byte that a page cannot hold is there")
	}
	var back []byte
	for i := 0; i < len(text); i++ {
		if text[i] == '=' {
			i++
			back = append(back, text[i]-64)
			continue
		}
		back = append(back, text[i])
	}
	if !bytes.Equal(back, all) {
		t.Error("the bytes do not come back")
	}
}

func TestASCII(t *testing.T) {
	if got, want := ascii("a é ▸ 😀"), `a \u00e9 \u25b8 \ud83d\ude00`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := entities("a – b"), "a &#8211; b"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestOrder(t *testing.T) {
	files := map[string]string{
		"app.js": "import { a } from \"./a.js\";\nimport b from \"./b.js\";\n", "a.js": "import b from \"./b.js\";\n", "b.js": "",
	}
	got, err := order(files, "app.js", nil)
	if want := []string{"b.js", "a.js", "app.js"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	files["b.js"] = "import x from \"./app.js\";\n"
	if _, err := order(files, "app.js", nil); err == nil {
		t.Error("modules that import each other are taken")
	}
	files["b.js"] = "import x from \"./none.js\";\n"
	if _, err := order(files, "app.js", nil); err == nil {
		t.Error("a module that is not there is taken")
	}
}
