package beam_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/beam"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/model"
)

// TestStores: workers that see no folder, only a store, give the bytes of one machine;
// each fetches the parts of the rows that its pieces are in.
func TestStores(t *testing.T) {
	data := records(t, 9_000)
	flat := fit.Settings{K: 3, Spec: model.Spec{Model: "bernoulli"}, Refine: "none"}
	want := made(t, order(t, data, flat, ""))
	for _, at := range []string{"s3://bucket/some/folder", "gs://bucket/some/folder"} {
		t.Run(at[:2], func(t *testing.T) {
			s := newFakeStore(t)
			t.Setenv(inStore, at)
			got := made(t, order(t, data, flat, "none"))
			for _, file := range []string{"model.moiety", "assignments.moiety", "rows.moiety"} {
				a, err := os.ReadFile(filepath.Join(want, file))
				b, also := os.ReadFile(filepath.Join(got, file))
				if err != nil || also != nil || !bytes.Equal(a, b) {
					t.Errorf("%s has other bytes (%v, %v)", file, err, also)
				}
			}
			if n := len(s.names("bucket/some/folder/rows-")); n < 10 {
				t.Errorf("rows in %d parts", n)
			}
			reads := map[string]int{}
			for _, name := range s.asked {
				reads[name]++
			}
			if last := reads["bucket/some/folder/rows-000003"]; last < 1 || last > 3 { // 2 passes, of 2 workers each: not every one
				t.Errorf("a part of the rows was read %d times: %v", last, reads)
			}
			store, err := beam.OpenStore(t.Context(), at)
			if err != nil {
				t.Fatal(err)
			}
			if err := store.Empty(t.Context()); err != nil || len(s.objects) > 0 {
				t.Errorf("%d objects are left: %v", len(s.objects), err)
			}
		})
	}
}

// TestNoStore: what cannot be reached is said, with the address.
func TestNoStore(t *testing.T) {
	s := newFakeStore(t)
	s.objects["bucket/in/a.csv"], s.objects["bucket/in/b.csv"] = []byte("a"), []byte("b")
	for _, scheme := range []string{"s3", "gs"} {
		dir := t.TempDir()
		files, err := beam.Download(t.Context(), scheme+"://bucket/in/*.csv", dir)
		if err != nil || !slices.Equal(files, []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv")}) {
			t.Errorf("%s: %v %v", scheme, files, err)
		}
		if _, err := beam.Download(t.Context(), scheme+"://bucket/in/c.csv", dir); err == nil || !strings.Contains(err.Error(), "no "+scheme+"://bucket/in/c.csv") {
			t.Errorf("%s: %v", scheme, err)
		}
	}
	if _, err := beam.OpenStore(t.Context(), "ftp://x/y"); err == nil || !strings.Contains(err.Error(), "want s3://") {
		t.Errorf("another store: %v", err)
	}
	s.refuse = true
	t.Setenv(inStore, "s3://bucket/closed")
	o := order(t, records(t, 50), fit.Settings{K: 2, Spec: model.Spec{Model: "bernoulli"}}, "none")
	if _, err := run.Make(t.Context(), o); err == nil || !strings.Contains(err.Error(), "s3://bucket/closed") || !strings.Contains(err.Error(), "AccessDenied") {
		t.Errorf("a closed store: %v", err)
	}
}
