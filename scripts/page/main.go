// Command page writes the workbench as one file that needs no program: the screens
// of internal/web, and the program of cmd/page for WebAssembly inside. The same sources give
// the same bytes.
//
//	go run ./scripts/page -o dist/moiety.html
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/moiety-go/moiety/internal/kernel/simd"
	"github.com/moiety-go/moiety/show"
)

func main() {
	out := flag.String("o", filepath.Join("dist", "moiety.html"), "file to write")
	flag.Parse()
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

// limit is the most bytes that the page may have.
const limit = 9_000_000

func write(out string) error {
	program, err := build()
	if err != nil {
		return err
	}
	files, err := collect()
	if err != nil {
		return err
	}
	page, err := assemble(files, program)
	if err != nil {
		return err
	}
	if len(page) > limit {
		return fmt.Errorf("the page has %d bytes, and %d are the most", len(page), limit)
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(out, page, 0o644)
}

// build compiles and packs the program.
func build() ([]byte, error) {
	dir, err := os.MkdirTemp("", "page")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "page.wasm")
	overlay, err := withoutMethods(dir)
	if err != nil {
		return nil, err
	}
	c := exec.Command("go", "build", "-trimpath", "-overlay", overlay, "-tags", "simd128", "-ldflags", "-s -w", "-o", path, "./cmd/page")
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("the program does not compile: %w", err)
	}
	code, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(code); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// withoutMethods writes, into dir, how the program is built with templates that call no
// methods, and returns the file that says so. A template that may call any method by its
// name makes the linker keep every method of every type: a tenth of the page, and none
// of the reports' templates calls one (a page that did would fail to save its report).
func withoutMethods(dir string) (string, error) {
	root, err := goRoot()
	if err != nil {
		return "", err
	}
	source := filepath.Join(root, "src", "text", "template", "exec.go")
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	const call, none = "ptr.MethodByName(fieldName)", "(reflect.Value{})"
	if n := strings.Count(string(text), call); n != 1 {
		return "", fmt.Errorf("%s calls methods by name in %d places, and one was expected: see withoutMethods", source, n)
	}
	changed, file := filepath.Join(dir, "exec.go"), filepath.Join(dir, "overlay.json")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {source: changed}})
	if err != nil {
		return "", err
	}
	return file, errors.Join(os.WriteFile(changed, []byte(strings.Replace(string(text), call, none, 1)), 0o600), os.WriteFile(file, replaced, 0o600))
}

// goRoot is the folder of Go itself.
func goRoot() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(root)), err
}

// own are the files that cmd/page has in place of those of web, or beside them.
var own = []string{"memory.js", "kernel.js", "worker.js", "boot.js", "door.js", "place.js"}

// collect reads the files of the screens.
func collect() (map[string]string, error) {
	root, err := goRoot()
	if err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join("internal", "web", "assets", "*"))
	if err != nil {
		return nil, err
	}
	paths = append(paths, filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	for _, name := range own { // the later wins
		paths = append(paths, filepath.Join("cmd", "page", name))
	}
	files := map[string]string{"report.css": show.StyleSheet(), "parts.js": show.Script()}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files[filepath.Base(path)] = string(text)
	}
	return files, nil
}

var imported = regexp.MustCompile(`(?m)^import (?:.* from )?"\./([\w.]+)";`)

// order lists a module after all that it imports.
func order(files map[string]string, name string, done []string, open ...string) ([]string, error) {
	if slices.Contains(done, name) {
		return done, nil
	}
	if slices.Contains(open, name) {
		return nil, fmt.Errorf("%s imports itself, by %v", name, open)
	}
	text, ok := files[name]
	if !ok {
		return nil, fmt.Errorf("%v imports %s, which is not there", open, name)
	}
	var err error
	for _, m := range imported.FindAllStringSubmatch(text, -1) {
		if done, err = order(files, m[1], done, append(slices.Clone(open), name)...); err != nil {
			return nil, err
		}
	}
	return append(done, name), nil
}

// policy lets the page run what is in it, and ask nobody for anything.
const policy = "default-src 'none'; connect-src 'none'; worker-src blob:; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; " +
	"style-src 'unsafe-inline'; img-src data: blob:; form-action 'none'; base-uri 'none'"

var (
	head = regexp.MustCompile(`(?s)<meta charset="utf-8">(.*?)<link rel="icon".*?</head>`)
	home = `href="/" data-go="/"`
)

// assemble joins everything into one page.
func assemble(files map[string]string, program []byte) ([]byte, error) {
	modules, err := order(files, "app.js", nil)
	if err != nil {
		return nil, err
	}
	shell := files["index.html"]
	if !head.MatchString(shell) || !strings.Contains(shell, home) {
		return nil, fmt.Errorf("internal/web/assets/index.html is not as it was: its head, or its link home, is not found")
	}
	icon := "data:image/svg+xml," + strings.NewReplacer("%", "%25", "#", "%23", `"`, "'", "<", "%3C", ">", "%3E", "\n", " ").Replace(files["icon.svg"])
	shell = head.ReplaceAllStringFunc(shell, func(s string) string {
		return `<meta charset="windows-1252">` + "\n" + `<meta http-equiv="Content-Security-Policy" content="` + policy + `">` +
			head.FindStringSubmatch(s)[1] + `<link rel="icon" href="` + icon + `">` + "\n<script>" + files["theme.js"] + "</script>\n</head>"
	})
	shell = strings.Replace(shell, home, `href="#/" data-go="/"`, 1)

	held := map[string]any{"order": modules, "vectors": simd.Module()} // bytes become base64
	for _, name := range append(slices.Clone(modules), "report.css", "app.css", "en.json", "es.json", "memory.js", "wasm_exec.js", "kernel.js", "worker.js") {
		held[name] = files[name]
	}
	text, err := json.Marshal(held) // "<" is escaped
	if err != nil {
		return nil, err
	}
	before, after, ok := strings.Cut(shell, "</body>")
	if !ok {
		return nil, fmt.Errorf("internal/web/assets/index.html has no end of its body")
	}
	var b bytes.Buffer
	b.WriteString(entities(before))
	fmt.Fprintf(&b, "<script>%s</script>\n<script type=\"application/json\" id=\"files\">%s</script>\n<script>%s</script>\n<script type=\"text/plain\" id=\"program\">",
		ascii(files["parts.js"]), ascii(string(text)), ascii(files["boot.js"]))
	b.Write(escaped(program))
	fmt.Fprintf(&b, "</script>\n<script>page.begin();</script>\n</body>%s", entities(after))
	return b.Bytes(), nil
}

// ascii writes the characters of a script or of JSON that a page in windows-1252
// lacks by their numbers.
func ascii(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// entities does the same for a page.
func entities(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	return b.String()
}

// escaped writes bytes as characters of a page in windows-1252, which has one for
// each: but zero and carriage return are changed by browsers, "<" could end the
// element, and "=" announces an escape. That makes 1.6 % more of packed bytes,
// where base64 makes a third more.
func escaped(program []byte) []byte {
	out := make([]byte, 0, len(program)+len(program)/32)
	for _, c := range program {
		switch c {
		case 0, '\r', '<', '=':
			out = append(out, '=', c+64)
		default:
			out = append(out, c)
		}
	}
	return out
}
