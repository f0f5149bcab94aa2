package artifacts

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// seeds gives the files of the vectors, and fails where there are none.
func seeds(f *testing.F) [][]byte {
	f.Helper()
	files, err := filepath.Glob(vectorDir + "/*.gbt")
	if err != nil || len(files) < 100 {
		f.Fatalf("%d seeds (error %v)", len(files), err)
	}
	var out [][]byte
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		out = append(out, data)
	}
	return out
}

// FuzzOpen opens any bytes, with and without a key. Whatever opens must encode
// back to the same bytes; whatever does not hands nothing out.
func FuzzOpen(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(data)
	}
	pub, _ := testKey(1)
	f.Fuzz(func(t *testing.T, data []byte) {
		p, info, err := Open(data, Trust{})
		if err != nil && (p != nil || info != nil) {
			t.Fatal("something was handed out beside an error")
		}
		_, signed, err2 := Open(data, Trust{Keys: keys(pub)})
		if err2 == nil && (err != nil || !signed.Signed || !slices.Equal(signed.KeyIDs, []string{KeyID(pub)})) {
			t.Fatalf("opens with a key (%+v) and not without: %v", signed, err)
		}
		if err != nil {
			return
		}
		body, err := Encode(p)
		if err != nil || !bytes.HasPrefix(data, body) || info.Signed {
			t.Fatalf("%v, encoded again gives other bytes (error %v)", info, err)
		}
	})
}

// FuzzDecode gets past the checksum: it takes the bytes of one section, puts
// them into a file that is otherwise right, and asks the same.
func FuzzDecode(f *testing.F) {
	for _, data := range seeds(f) {
		h, err := readHeader(data)
		if err != nil {
			continue
		}
		parts, err := readSections(data[:h.length])
		if err != nil {
			continue
		}
		for i, b := range parts {
			f.Add(byte(i), b)
		}
	}
	f.Fuzz(func(t *testing.T, which byte, part []byte) {
		tag := sections()[int(which)%len(sections())].tag
		if len(part) > 1<<20 {
			return
		}
		data := rebuilt(must(sample()), tag, func([]byte) []byte { return part })
		p, _, err := Open(data, Trust{})
		if err != nil {
			return
		}
		again, err := Encode(p)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("section %s encodes to other bytes (error %v)", tag, err)
		}
		q, _, err := Open(again, Trust{})
		if err != nil || !reflect.DeepEqual(p, q) {
			t.Fatalf("section %s decodes to another policy (error %v)", tag, err)
		}
	})
}

// FuzzKeys reads any bytes as keys: what is read is written back as a key that
// reads the same.
func FuzzKeys(f *testing.F) {
	pub, priv := testKey(1)
	f.Add(MarshalPublicKey(pub))
	f.Add(MarshalPrivateKey(priv))
	f.Fuzz(func(t *testing.T, data []byte) {
		if k, err := ParsePublicKey(data); err == nil {
			if again, err := ParsePublicKey(MarshalPublicKey(k)); err != nil || !again.Equal(k) {
				t.Fatal("public key reads back as another")
			}
		}
		if k, err := ParsePrivateKey(data); err == nil {
			if again, err := ParsePrivateKey(MarshalPrivateKey(k)); err != nil || !again.Equal(k) {
				t.Fatal("private key reads back as another")
			}
		}
	})
}
