package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/suggest"
)

// shown runs events through a listener of one style; the clock moves a second
// with each.
func shown(t *testing.T, style string, events ...progress.Event) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "err"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	clock := time.Unix(0, 0)
	n := &meter{out: f, style: style, width: 80, seen: map[string]bool{}, now: func() time.Time {
		clock = clock.Add(time.Second)
		return clock
	}}
	for _, e := range events {
		n.listen(e)
	}
	n.clear()
	text, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNews(t *testing.T) {
	events := []progress.Event{
		{Step: "reading", Done: 1_000_000, Total: 4_000_000, Unit: "bytes"},
		{Step: "reading", Done: 2_000_000, Total: 4_000_000, Unit: "bytes"},
		{Step: "splitting", Done: 1, Total: 16, Unit: "groups"},
	}
	plain := shown(t, "plain", events...)
	if plain != "reading: 1 MB of 4 MB\nsplitting: 1 of 16 groups\n" {
		t.Errorf("plain: %q", plain)
	}
	bar := shown(t, "bar", events...)
	if !strings.Contains(bar, "[============            ] reading: 2 MB of 4 MB, 1 MB/s, 2 s left") || !strings.HasSuffix(bar, "\r\x1b[K") {
		t.Errorf("bar: %q", bar)
	}
	lines := shown(t, "json", events...)
	if !strings.Contains(lines, `{"step":"reading","done":2000000,"total":4000000,"unit":"bytes","rate":1000000,"seconds_left":2}`) {
		t.Errorf("json: %q", lines)
	}
	if got := shown(t, "none", events...); got != "" {
		t.Errorf("none: %q", got)
	}
}

// TestShares: hundredths of the work are no amount, and at the beginning there are none.
func TestShares(t *testing.T) {
	events := []progress.Event{{Step: "judging", Total: 100, Unit: "%"}, {Step: "judging", Done: 45, Total: 100, Unit: "%"}}
	if plain := shown(t, "plain", events[0]); plain != "judging\n" {
		t.Errorf("plain: %q", plain)
	}
	if bar := shown(t, "bar", events...); !strings.Contains(bar, "] judging: 45 %, 1 s left") {
		t.Errorf("bar: %q", bar)
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]int64{"500MB": 5e8, "2 GB": 2e9, "1.5GiB": 3 << 29, "64k": 64000, "100": 100, "7TiB": 7 << 40} {
		if got, err := parseBytes(text); err != nil || got != want {
			t.Errorf("parseBytes(%q) = %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "many", "-1GB", "0", "1e30"} {
		if _, err := parseBytes(text); err == nil {
			t.Errorf("parseBytes(%q) is accepted", text)
		}
	}
	for v, want := range map[int64]string{999: "999 bytes", 1000: "1 kB", 12345678: "12.3 MB", 999_700: "1 MB", 2e9: "2 GB"} {
		if got := byteSize(v); got != want {
			t.Errorf("byteSize(%d) = %q, want %q", v, got, want)
		}
	}
	for d, want := range map[time.Duration]string{time.Millisecond: "under 1 s", 90 * time.Second: "1 min 30 s", 2 * time.Hour: "2 h 0 min"} {
		if got := duration(d); got != want {
			t.Errorf("duration(%v) = %q, want %q", d, got, want)
		}
	}
	if got := wrap("one two three four", 9, "  "); got != "one two\n  three\n  four" {
		t.Errorf("wrap: %q", got)
	}
	if list([]string{"a", "b", "c"}) != "a, b or c" || list(nil) != "" {
		t.Error("list")
	}
	for word, want := range map[string]string{"fti": "fit", "shwo": "show", "asign": "assign", "zzzzz": "", "insp": "inspect"} {
		if got := suggest.Word(word, []string{"fit", "show", "assign", "inspect", "eval"}); got != want {
			t.Errorf("Word(%q) = %q, want %q", word, got, want)
		}
	}
}
