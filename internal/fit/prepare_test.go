package fit

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/record"
)

// FuzzPrepare reads and encodes any file, and keeps it: it is refused, or its
// rows come back from the cache as they were.
func FuzzPrepare(f *testing.F) {
	for _, s := range []string{
		"id,code\n1,428\n1,401\n2,428.0\n", "a,b,c\n1,0,1\n0,1,1\n", "x,y\n1.5,2\n-3,4e5\n", "q1,q2\nyes,no\nno,\n", "the cat sat\non the mat\nagain and again\n",
		"{\"id\":1,\"codes\":[\"a\",\"b\"]}\n", "id,t1,t2,t3\na,x,y,x\nb,y,y,x\n", "0120\n1102\n",
	} {
		f.Add([]byte(s), uint8(0), "")
		f.Add([]byte(s), uint8(3), "not has 428")
	}
	f.Fuzz(func(t *testing.T, data []byte, n uint8, where string) {
		path := filepath.Join(t.TempDir(), "data")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		formats := append([]string{"auto"}, read.Formats()...)
		o := Order{Args: []string{path}, Cache: true, Encode: encode.Settings{Encoding: dataset.Encoding{Where: where}, Workers: 2}}
		o.Read = read.Options{Reading: record.Reading{Format: formats[int(n)%len(formats)]}, Workers: 2}
		if o.Read.Format == "omop" || o.Encode.Check() != nil {
			return
		}
		p, err := Prepare(context.Background(), o, "")
		if err != nil {
			return
		}
		defer p.Close()
		q, err := Prepare(context.Background(), o, "")
		if err != nil {
			t.Fatal(err)
		}
		defer q.Close()
		if !q.Cached || q.Fingerprint() != p.Fingerprint() || !equalJSON(t, q.Summary, p.Summary) {
			t.Errorf("the cache (%v) gives other rows", q.Cached)
		}
		if d, ok := p.Set.(*dataset.Dataset); ok && d.Check() != nil {
			t.Error(d.Check())
		}
	})
}
