package container_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/moiety-go/moiety/internal/container"
)

// A container is refused, or it is what its own contents pack into: one file for
// one content. The checksum is mended, so that what it protects is reached.
func FuzzUnpack(f *testing.F) {
	kind := container.Kind{Magic: "moiety model\n", Version: 2}
	data, err := os.ReadFile(filepath.Join("testdata", "model.moiety"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:len(data)-32])
	f.Add([]byte(kind.Magic))
	f.Fuzz(func(t *testing.T, body []byte) {
		data := container.Sealed(bytes.Clone(body))
		var contents any
		matrices, err := kind.Unpack(data, &contents)
		if err != nil {
			return
		}
		numbers := 0
		for _, m := range matrices {
			r, c := m.Dims()
			numbers += r * c
		}
		if 8*numbers > len(body) {
			t.Errorf("%d numbers of %d bytes", numbers, len(body))
		}
	})
}
