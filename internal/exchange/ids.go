package exchange

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// IDKey is a secret that sites with the same people have in common, and that whoever
// joins their records has not: ids are written as keyed hashes, so that records of one
// person can be put together and nobody can be named by whoever has no key.
type IDKey []byte

// OpenIDKey reads the key in a file, and makes one, to be kept there, where the file is not
// there.
func OpenIDKey(path string) (k IDKey, made bool, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		k = make(IDKey, sha256.Size)
		_, err := rand.Read(k)
		return k, true, err
	}
	if err != nil {
		return nil, false, err
	}
	k, err = hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(k) != sha256.Size {
		return nil, false, fmt.Errorf("%s is no key of ids: name one that this program made at the other site, or a new file", path)
	}
	return k, false, nil
}

// Text is what the file of the key holds, which its owner alone may read.
func (k IDKey) Text() []byte { return []byte(hex.EncodeToString(k) + "\n") }

// Hide returns what stands for an id: half of a keyed hash (HMAC-SHA256).
func (k IDKey) Hide(id string) string {
	h := hmac.New(sha256.New, k)
	h.Write([]byte("moiety id\x00" + id))
	return hex.EncodeToString(h.Sum(nil)[:sha256.Size/2])
}
