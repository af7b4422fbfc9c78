package exchange

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/moiety-go/moiety/pass"
)

// Key is the secret of a site. Every two sites have a secret in common, made of
// one's key and the other's public one (X25519), and from it a mask for each
// round, which one adds to its numbers and the other takes away: whoever has the
// file of one site has numbers that could be any, and the total of all sites has
// no mask left (Bonawitz et al. 2017, without dropouts).
type Key struct{ private *ecdh.PrivateKey }

// OpenKey reads the key in a file.
func OpenKey(path string) (*Key, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the key that this site made in the first round is missing: name its file with ‹key›, or begin the study anew", path)
	}
	if err != nil {
		return nil, err
	}
	secret, err := hex.DecodeString(string(text))
	if err != nil || len(secret) != 32 {
		return nil, fmt.Errorf("%s is no key of this program: name another file with ‹key›", path)
	}
	k, err := ecdh.X25519().NewPrivateKey(secret)
	return &Key{k}, err
}

// NewKey makes a key that nobody else has.
func NewKey() (*Key, error) {
	k, err := ecdh.X25519().GenerateKey(rand.Reader)
	return &Key{k}, err
}

// Text is what the file of the key holds, which its owner alone may read.
func (k *Key) Text() []byte { return []byte(hex.EncodeToString(k.private.Bytes())) }

// Public returns what the other sites may know of the key.
func (k *Key) Public() string { return hex.EncodeToString(k.private.PublicKey().Bytes()) }

// mask hides the numbers of site i of a round.
func (k *Key) mask(x []Fixed, sites []Site, i int, r pass.Round) error {
	about, err := json.Marshal(r)
	if err != nil {
		return err
	}
	for j, other := range sites {
		if j == i {
			continue
		}
		stream, err := k.stream(other, about)
		if err != nil {
			return fmt.Errorf("the key of %s: %w", other.Name, err)
		}
		noise := make([]byte, 16*len(x))
		stream.XORKeyStream(noise, noise)
		for e, m := range fromBytes(noise) {
			if i < j {
				x[e] = x[e].add(m)
			} else {
				x[e] = x[e].sub(m)
			}
		}
	}
	return nil
}

// secret returns numbers that nobody knows who has not the key, for numbers of a
// round: noise of them is the same when a round is sent again, and other where the
// numbers are others, so that no two files show by their difference what the noise is.
func (k *Key) secret(r pass.Round, x []float64) (out [32]byte, err error) {
	about, err := json.Marshal(r)
	if err != nil {
		return out, err
	}
	own, err := hkdf.Key(sha256.New, k.private.Bytes(), nil, "moiety noise", 32)
	if err != nil {
		return out, err
	}
	h := hmac.New(sha256.New, own)
	h.Write(about)
	_ = binary.Write(h, binary.LittleEndian, x) // a hash takes all
	return [32]byte(h.Sum(nil)), nil
}

// stream returns random numbers that this site and another alone know.
func (k *Key) stream(other Site, about []byte) (cipher.Stream, error) {
	public, err := hex.DecodeString(other.Key)
	if err != nil {
		return nil, err
	}
	p, err := ecdh.X25519().NewPublicKey(public)
	if err != nil {
		return nil, err
	}
	common, err := k.private.ECDH(p)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, common, nil, "moiety mask "+string(about), 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewCTR(block, make([]byte, aes.BlockSize)), nil
}
