package fit

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/durable/durabletest"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/synth"
)

// hospital writes a wide list of example patients.
func hospital(t *testing.T, n int) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("patient,age,dx1,dx2,dx3,dx4,dx5,dx6\n")
	for _, p := range synth.Hospital(7, n) {
		codes := append(slices.Clone(p.Codes), make([]string, 6)...)[:6]
		b.WriteString(p.ID + ",60," + strings.Join(codes, ",") + "\n")
	}
	path := filepath.Join(t.TempDir(), "patients.csv")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func order(data string) Order {
	return Order{Args: []string{data}, Fit: Settings{Seed: 1, Tree: TreeShape{Leaves: 4, Splitter: "auto"}}}
}

func equalJSON(t *testing.T, a, b any) bool {
	t.Helper()
	x, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(x, y)
}

// kept is a cache and the fingerprint of what it must give back.
type kept struct {
	cache
	print string
	p     *Prepared
}

// keep returns the cache of an order, not written yet.
func keep(t *testing.T, o Order) kept {
	t.Helper()
	inputs, _, err := Expand(o.Args)
	if err != nil {
		t.Fatal(err)
	}
	c, err := newCache(o, inputs)
	if err != nil {
		t.Fatal(err)
	}
	o.Cache = false
	p, err := Prepare(t.Context(), o, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return kept{*c, p.Fingerprint(), p}
}

// gives reports whether the cache gives something; it must be the right thing.
func (k kept) gives(t *testing.T) bool {
	t.Helper()
	got, ok := k.load(0, 0)
	if !ok {
		return false
	}
	defer got.Close()
	if got.Fingerprint() != k.print || got.Set.Fingerprint() != k.print {
		t.Errorf("the cache gives other rows")
	}
	if !equalJSON(t, got.Summary, k.p.Summary) || !equalJSON(t, got.Reading, k.p.Reading) {
		t.Errorf("the cache gives another account of the rows")
	}
	return true
}

// A kill, a power cut, a full or broken disk at every operation: the cache gives
// the rows of its key, or nothing; and the next one is written and clean.
func TestCacheFaults(t *testing.T) {
	data := hospital(t, 300)
	o := order(data)
	before := keep(t, o)
	o.Encode.Rollup, o.Encode.MinCodes = "chapter", 3 // another key of the same file
	after := keep(t, o)
	if before.path != after.path || before.key == after.key {
		t.Fatal("the two orders do not meet in one file")
	}
	count := durabletest.New(t, durabletest.Never, 0)
	after.fs = count
	if err := after.save(after.p); err != nil {
		t.Fatal(err)
	}
	operations, tried := count.Count(), 0
	if operations < 6 {
		t.Fatalf("only %d operations: something goes by another way", operations)
	}
	for name, fault := range durabletest.Faults {
		for at := range operations {
			tried++
			before.fs = durable.OS{}
			if err := before.save(before.p); err != nil {
				t.Fatal(err)
			}
			after.fs = durabletest.New(t, fault, at)
			err := after.save(after.p)
			after.fs = durable.OS{}
			old, fresh := before.gives(t), after.gives(t)
			if old && fresh || err == nil && !fresh {
				t.Errorf("%s at operation %d: old %v, new %v, error %v", name, at, old, fresh, err)
			}
			if err != nil && strings.Contains(err.Error(), ".moiety-cache.moiety-") {
				t.Errorf("%s at operation %d: %v names a temporary file", name, at, err)
			}
			if list, _ := os.ReadDir(filepath.Dir(data)); len(list) > 2 {
				t.Errorf("%s at operation %d: %d files are left", name, at, len(list))
			}
		}
	}
	t.Logf("%d faults at %d operations", tried, operations)
}

// A thousand damages: never another row, never a panic, never half a cache.
func TestCacheDamage(t *testing.T) {
	k := keep(t, order(hospital(t, 300)))
	if err := k.save(k.p); err != nil {
		t.Fatal(err)
	}
	if !k.gives(t) {
		t.Fatal("the cache gives nothing")
	}
	whole, err := os.ReadFile(k.path)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	damages := numtest.Scale(200, 1000, 1000)
	for i := range damages {
		b := bytes.Clone(whole)
		at := i * len(b) / damages
		switch i % 5 {
		case 0:
			b[at] ^= 1 << rng.IntN(8)
		case 1:
			b = b[:at]
		case 2:
			b = append(b[:at:at], append([]byte{byte(rng.Uint32())}, b[at:]...)...)
		case 3:
			clear(b[at:min(at+16, len(b))])
		case 4:
			b[at], b[len(b)-1-at] = b[len(b)-1-at], b[at]
		}
		if bytes.Equal(b, whole) {
			continue
		}
		if err := os.WriteFile(k.path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if k.gives(t) {
			t.Errorf("damage %d at %d of %d is not seen", i%5, at, len(whole))
		}
	}
	// Rows of one order and the rest of another, as two files had them.
	o := order(k.p.Inputs[0].Name)
	o.Encode.Rollup, o.Encode.MinCodes = "chapter", 3
	other := keep(t, o)
	if err := other.save(other.p); err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(k.path)
	if err != nil {
		t.Fatal(err)
	}
	rows := k.p.Set.Len() // any place of either file
	for _, cut := range []int{rows, len(whole) / 2, len(whole) - cacheFoot} {
		if err := os.WriteFile(k.path, append(bytes.Clone(second[:min(cut, len(second))]), whole[cut:]...), 0o600); err != nil {
			t.Fatal(err)
		}
		if k.gives(t) || other.gives(t) {
			t.Errorf("a mixture of two caches, cut at %d, is believed", cut)
		}
	}
}

func TestCacheOfEarlierVersions(t *testing.T) {
	k := keep(t, order(hospital(t, 200)))
	if err := dataset.Write(k.path, k.p.Set.(*dataset.Dataset)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(k.path+".json", []byte(`{"key":"`+k.key+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if k.gives(t) {
		t.Error("a cache of two files is believed")
	}
	if err := k.save(k.p); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(k.path + ".json"); err == nil || !k.gives(t) {
		t.Error("the second file is still there, or the first is not new")
	}
	if info, err := os.Stat(k.path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("records are readable by others: %v", info.Mode())
	}
}

// The key changes with everything that the rows depend on.
func TestCacheKey(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data := put("docword.x.txt", "2\n2\n2\n1 1 1\n2 2 1\n")
	vocabulary := put("vocab.x.txt", "a\nb\n")
	key := func(o Order) string {
		inputs, _, err := Expand(o.Args)
		if err != nil {
			t.Fatal(err)
		}
		c, err := newCache(o, inputs)
		if err != nil {
			t.Fatal(err)
		}
		return c.key
	}
	o := order(data)
	first := key(o)
	put("log.txt", "what somebody noted")
	if key(o) != first {
		t.Error("the key depends on a file that is none of ours")
	}
	if err := os.WriteFile(vocabulary, []byte("heart\nkidney\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	second := key(o)
	o.Read.IDsFile = put("ids", "x\ny\n")
	third := key(o)
	put("ids", "x\nyy\n")
	fourth := key(o)
	o.Encode = encode.Settings{Encoding: dataset.Encoding{StopList: []string{"kidney"}}}
	fifth := key(o)
	seen := map[string]int{first: 1, second: 2, third: 3, fourth: 4, fifth: 5}
	if len(seen) != 5 {
		t.Errorf("changed names, ids or settings leave the key as it was: %v", seen)
	}
}

// Caches are no data of a folder.
func TestCacheIsNoData(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "a.txt" + source.CacheEnding, "a.txt" + source.CacheEnding + ".json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("some words"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, arg := range []string{dir, filepath.Join(dir, "a*")} {
		if inputs, err := source.Expand([]string{arg}); err != nil || len(inputs) != 1 {
			t.Errorf("%s: %d inputs (%v)", arg, len(inputs), err)
		}
	}
}

// Rows that are streamed from the cache are those that were opened, even when
// another cache takes the name.
func TestCacheReplacedWhileInUse(t *testing.T) {
	o := order(hospital(t, 5000))
	k := keep(t, o)
	if err := k.save(k.p); err != nil {
		t.Fatal(err)
	}
	p, ok := k.load(1000, 0)
	if !ok || p.DiskSize() == 0 {
		t.Fatal("the rows are not streamed")
	}
	defer p.Close()
	o.Encode.Rollup, o.Encode.MinCodes = "chapter", 3
	other := keep(t, o)
	if err := other.save(other.p); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.Set.CopyTo(&b, 1); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rows")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := dataset.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Fingerprint() != k.print || f.Verify() != nil {
		t.Error("the copy is of other rows")
	}
	n := 0
	if err := p.Each(context.Background(), func(_ int, d *dataset.Dataset) error { n += d.Len(); return nil }); err != nil || n != 5000 {
		t.Errorf("%d records (%v)", n, err)
	}
}
