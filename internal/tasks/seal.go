package tasks

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// keySuffix names the file of the key beside the database.
const keySuffix = ".key"

// sealer keeps a key. What it seals nobody reads without the key; what it signs
// nobody forges without it.
type sealer struct {
	aead cipher.AEAD
	mac  []byte
}

// sealed begins bytes that are sealed.
const sealed = "gbt sealed 1\x00"

// openKey reads the key, or makes one. The file is written whole before it gets its
// name, and the name is taken by one of those who come at the same time.
func openKey(name string) (*sealer, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeKey(name); err != nil {
			return nil, fmt.Errorf("key %s: %w", name, err)
		}
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("key: %w", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(data)))
	if err != nil || len(key) != 32 {
		return nil, fmt.Errorf("%w: %s is not 64 hexadecimal digits", ErrKey, name)
	}
	return newSealer(key)
}

func makeKey(name string) error {
	var key [32]byte
	rand.Read(key[:]) // never fails
	f, err := os.CreateTemp(filepath.Dir(name), ".key-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = fmt.Fprintln(f, hex.EncodeToString(key[:]))
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Link(f.Name(), name)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil // somebody else's
	}
	if err == nil {
		err = syncDir(filepath.Dir(name))
	}
	return err
}

// syncDir puts a file's name on the disk: without its key the database that is begun next
// would be lost with the power. Where directories can't be synced, nothing is lost by that.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && runtime.GOOS != "windows" {
		return err
	}
	return nil
}

// derived is a key for one use.
func derived(key []byte, use string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("gbt sessions 1 " + use))
	return h.Sum(nil)
}

func newSealer(key []byte) (*sealer, error) {
	block, err := aes.NewCipher(derived(key, "seal"))
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return &sealer{aead, derived(key, "sign")}, nil
}

// seal hides data and binds it to a name.
func (s *sealer) seal(name string, data []byte) []byte {
	out := make([]byte, len(sealed)+s.aead.NonceSize(), len(sealed)+s.aead.NonceSize()+len(data)+s.aead.Overhead())
	copy(out, sealed)
	nonce := out[len(sealed):]
	rand.Read(nonce)
	return s.aead.Seal(out, nonce, data, []byte(name))
}

// open gives back what was sealed under a name.
func (s *sealer) open(name string, data []byte) ([]byte, error) {
	rest, ok := strings.CutPrefix(string(data), sealed)
	if !ok || len(rest) < s.aead.NonceSize() {
		return nil, fmt.Errorf("%w: it is not sealed", ErrTampered)
	}
	n := s.aead.NonceSize()
	out, err := s.aead.Open(nil, []byte(rest[:n]), []byte(rest[n:]), []byte(name))
	if err != nil {
		return nil, fmt.Errorf("%w, or the key is another one", ErrTampered)
	}
	return out, nil
}

// sign authenticates a task.
func (s *sealer) sign(t *Task) (string, error) {
	c := *t
	c.Mac = ""
	data, err := json.Marshal(&c)
	if err != nil {
		return "", err
	}
	h := hmac.New(sha256.New, s.mac)
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// check says whether a task is the one that was signed.
func (s *sealer) check(t *Task) error {
	want, err := s.sign(t)
	if err != nil {
		return err
	}
	if !hmac.Equal([]byte(want), []byte(t.Mac)) {
		return fmt.Errorf("session %s: %w, or the key is another one", t.ID, ErrTampered)
	}
	return nil
}
