package dataset

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/moiety-go/moiety/pass"
)

func TestSameBytesForWorkers(t *testing.T) {
	d := made(5*pass.BlockRecords+17, 9, Valued, false)
	var want []byte
	for _, workers := range []int{0, 1, 3, 8} {
		var b bytes.Buffer
		if err := d.CopyTo(&b, workers); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = b.Bytes()
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%d workers write other bytes than one", workers)
		}
	}
}

// Files of version 1 have the hash of the bytes of all blocks; they are read and
// verified as before.
func TestVersionOne(t *testing.T) {
	d := made(2*pass.BlockRecords+17, 9, Binary, true)
	var buf bytes.Buffer
	if err := d.CopyTo(&buf, 1); err != nil {
		t.Fatal(err)
	}
	old := newSummer(d.Describe())
	old.chained = true
	var b coded
	for lo := 0; lo < d.Len(); lo += pass.BlockRecords {
		b.set(d.slice(lo, min(lo+pass.BlockRecords, d.Len())))
		old.add(&b)
	}
	old.finish()
	data := buf.Bytes()
	data[8] = 1
	foot := data[len(data)-footSize:]
	copy(foot[2*20:], old.total)
	binary.LittleEndian.PutUint32(foot[footSize-12:], checksum(foot[:footSize-12]))
	path := filepath.Join(t.TempDir(), "old")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Verify(); err != nil {
		t.Error(err)
	}
	if f.Fingerprint() == d.Fingerprint() {
		t.Error("both versions have one fingerprint: the file is none of version 1")
	}
	if got, err := f.Load(1); err != nil || !same(got, d) {
		t.Errorf("not the same after reading: %v", err)
	}
}
