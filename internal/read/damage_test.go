package read

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/read/source"
)

// bzip2Table is a table of 40 records; the standard library unpacks only.
const bzip2Table = "QlpoOTFBWSZTWaTgzPcAAJVZgAAQAAR/4CeiSEAwANrbRnqn6eaSUAAKPVP9Sn6o9JoADVP/VSj8qaB6gbU9a/YACACAABXfPjPbN2dQDsAdwDYPba22tt+Ti8N6XJJJJK0po9JkAMiwCS691L2s5iIgd261o24Szr4gQCF1W+Mb1aAQIXVVeOkqrkjy5Kq5JrWQ4pIL0Q4ppjzMUkd4vfjjXKTaa1iTaJJtGf4u5IpwoSFJwZnu"

// packedTables holds the same small table in every container. Those with checksums
// notice every change; in the others a changed number is a number.
func packedTables(t *testing.T) map[string]struct {
	data   []byte
	checks bool
} {
	t.Helper()
	names, cells := []string{"age", "bmi"}, [][]string{}
	table := "age,bmi\n"
	for i := range 60 {
		row := []string{fmt.Sprintf("%d.5", 20+i*7%60), fmt.Sprintf("%d.25", 18+i*5%23)}
		cells = append(cells, row)
		table += strings.Join(row, ",") + "\n"
	}
	packed, err := base64.StdEncoding.DecodeString(bzip2Table)
	if err != nil {
		t.Fatal(err)
	}
	zs, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	zipOf := func(name string, data []byte) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(data)
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	return map[string]struct {
		data   []byte
		checks bool
	}{
		"a.csv.gz":  {gzipBytes([]byte(table)), true},
		"a.csv.bz2": {packed, true},
		"a.csv.zst": {zs.EncodeAll([]byte(table), nil), true},
		"a.csv.zip": {zipOf("a.csv", []byte(table)), true},
		"a.npz":     {zipOf("X.npy", asArray(t, names, cells, false)), true},
		"a.xlsx":    {asWorkbook(t, names, cells, false), true},
		"a.parquet": {asParquet(t, names, cells, false), true},
		"a.npy":     {asArray(t, names, cells, false), false},
	}
}

// A container that is cut off anywhere is refused as damaged, and so is one with a
// changed bit, but where the bit says nothing; where there is a checksum, what is
// read is what was packed.
func TestDamagedContainers(t *testing.T) {
	for name, c := range packedTables(t) {
		t.Run(name, func(t *testing.T) {
			whole, err := open(t, Options{}, source.Bytes(name, c.data))
			if err != nil {
				t.Fatal(err)
			}
			for part := 0; part < 19; part += numtest.Scale(9, 1, 1) {
				n := max(len(c.data)*(part+1)/20, 16) // what fewer bytes are cannot be known
				_, err := open(t, Options{}, source.Bytes(name, c.data[:n]))
				if !source.Unreadable(err) {
					t.Errorf("cut off after %d of %d bytes: %v", n, len(c.data), err)
				}
			}
			refused := 0
			flips := numtest.Scale(5, 60, 60)
			for i := range flips {
				bad := bytes.Clone(c.data)
				at := i * len(bad) / flips
				bad[at] ^= 1 << (i % 8)
				got, err := open(t, Options{}, source.Bytes(name, bad))
				switch {
				case source.Unreadable(err):
					refused++
					for _, jargon := range []string{"flate:", " zip:", "corruption", "EOF"} {
						if strings.Contains(err.Error(), jargon) {
							t.Errorf("byte %d: %v", at, err)
						}
					}
				case err != nil:
					t.Errorf("byte %d of %d changed: %v", at, len(bad), err)
				case c.checks && !reflect.DeepEqual(got.rows, whole.rows):
					t.Errorf("byte %d of %d changed: other records, and nothing said", at, len(bad))
				}
			}
			t.Logf("%d of %d changes refused", refused, flips)
		})
	}
}
