package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/numtest"
)

// A workbench that is left open for a year does not grow with what was asked of it: after
// ten times as many fits, of all kinds of data, it takes about the memory that it took before.
func TestServeStaysSmall(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a process is measured on Linux only")
	}
	const few, growth = 20, 1.5
	b := startBench(t)
	kinds := smallKinds(t, b)
	fits := func(from, to int) {
		for i := from; i < to; i++ {
			data := kinds[i%len(kinds)]
			b.fit(fmt.Sprintf(`{"data": %q, "settings": {"groups": %d}}`, data, 2+i%3))
		}
	}
	fits(0, few)
	before := b.memory()
	most := numtest.Scale(3, 10, 10) * few
	fits(few, most)
	after := b.memory()
	t.Logf("%d MB after %d fits, %d MB after %d", before/1e6, few, after/1e6, most)
	if float64(after) > growth*float64(before) {
		t.Errorf("%d MB after %d fits, and %d MB after %d", before/1e6, few, after/1e6, most)
	}
}

// smallKinds gives data of several kinds to a workbench: presences, answers, counts,
// measurements and texts, of some ten kilobytes each.
func smallKinds(t *testing.T, b *servedBench) []string {
	t.Helper()
	const rows, columns = 300, 16
	var ids []string
	words := strings.Fields("heart lung liver kidney skin bone river lake hill valley forest meadow vote party law court tax trade")
	for name, cell := range map[string]func(kind, row, column int) string{
		"presences.csv": func(kind, i, c int) string { return strconv.Itoa(bit((i*7+c*13)%10 < 2+6*bit(c%2 == kind))) },
		"answers.csv":   func(kind, i, c int) string { return string(rune('a' + (kind+bit((i+3*c)%5 == 0))%3)) },
		"counts.csv":    func(kind, i, c int) string { return strconv.Itoa((i*i + c*7) % (3 + 9*bit(c%2 == kind))) },
		"measured.csv":  func(kind, i, c int) string { return fmt.Sprintf("%.3f", float64(kind*c)+float64((i*37+c*11)%101)/50) },
	} {
		var text strings.Builder
		for c := range columns {
			fmt.Fprintf(&text, "%c%d,", name[0], c)
		}
		for i := range rows {
			text.WriteString("\n")
			for c := range columns {
				text.WriteString(cell(i%2, i, c) + ",")
			}
		}
		ids = append(ids, b.put(name, strings.ReplaceAll(text.String(), ",\n", "\n")))
	}
	var text strings.Builder
	for i := range rows / 3 {
		for j := range 12 {
			text.WriteString(words[(i%3*6+(i*j+j*j+i/3)%7)%len(words)] + " ")
		}
		text.WriteString("\n")
	}
	return append(ids, b.put("texts.txt", text.String()))
}

func bit(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// servedBench is a workbench that runs as a program of its own.
type servedBench struct {
	t    *testing.T
	pid  int
	base string // its address
	key  string
}

func startBench(t *testing.T) *servedBench {
	t.Helper()
	c := exec.Command("moiety", "serve", t.TempDir(), "--no-browser")
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	return &servedBench{t, c.Process.Pid, "http://" + at.Host, at.Query().Get("token")}
}

// send asks the workbench, and reads its answer into a value.
func (b *servedBench) send(method, path, body string, to any) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.base+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+b.key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode == http.StatusOK {
		err = json.Unmarshal(text, to)
	}
	if err != nil || answer.StatusCode != http.StatusOK {
		b.t.Fatalf("%s %s: %d %s, %v", method, path, answer.StatusCode, text, err)
	}
}

func (b *servedBench) put(name, text string) string {
	b.t.Helper()
	var data struct{ ID string }
	b.send("PUT", "/api/data?name="+name, text, &data)
	return data.ID
}

// fit waits for a fit.
func (b *servedBench) fit(request string) {
	b.t.Helper()
	var job struct {
		ID, State string
		Error     any
	}
	b.send("POST", "/api/fit", request, &job)
	for job.State == "waiting" || job.State == "running" {
		time.Sleep(10 * time.Millisecond)
		b.send("GET", "/api/jobs/"+job.ID, "", &job)
	}
	if job.State != "done" {
		b.t.Fatalf("%s: %s, %v", request, job.State, job.Error)
	}
}

// memory is what the program holds now.
func (b *servedBench) memory() int64 {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(b.pid), "statm"))
	if err != nil {
		b.t.Fatal(err)
	}
	var all, resident int64
	if _, err := fmt.Sscan(string(text), &all, &resident); err != nil {
		b.t.Fatal(err)
	}
	return resident * int64(os.Getpagesize())
}
