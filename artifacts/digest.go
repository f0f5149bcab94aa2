package artifacts

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// GateID names a gate: the SHA-256, in hex, of a prefix, its scope, its
// disposition and its expression, with a zero byte after each but the last.
// Check keeps zero bytes out of the first two.
func GateID(scope, disposition, expr string) string {
	sum := sha256.Sum256([]byte("gbt gate 1\x00" + scope + "\x00" + disposition + "\x00" + expr))
	return hex.EncodeToString(sum[:])
}

// TaskDigest names a task, whether by its text or by its stable id, without
// storing it: SHA-256 of the words in lower case with single spaces between
// them, cut to 16 bytes.
func TaskDigest(task string) []byte {
	words := strings.Join(strings.Fields(strings.ToLower(task)), " ")
	sum := sha256.Sum256([]byte(words))
	return sum[:taskDigestSize]
}

// MerkleRoot is the root over leaves in the given order, in hex: the tree of
// RFC 6962, section 2.1, with SHA-256. Callers whose leaves have no order of
// their own sort them first. It takes memory for the logarithm of the number of
// leaves beside the leaves themselves.
func MerkleRoot(leaves [][]byte) string {
	root := merkle(leaves)
	return hex.EncodeToString(root[:])
}

// merkle keeps one root for each set bit of the number of leaves so far, as in
// a binary counter; RFC 9162, section 2.1.2, has the same algorithm.
func merkle(leaves [][]byte) [sha256.Size]byte {
	if len(leaves) == 0 {
		return sha256.Sum256(nil)
	}
	var stack [][sha256.Size]byte
	for i, leaf := range leaves {
		stack = append(stack, sha256.Sum256(append([]byte{0}, leaf...)))
		for n := i + 1; n%2 == 0; n /= 2 {
			stack = fold(stack)
		}
	}
	for len(stack) > 1 {
		stack = fold(stack)
	}
	return stack[0]
}

// fold replaces the last two roots by their parent.
func fold(stack [][sha256.Size]byte) [][sha256.Size]byte {
	k := len(stack) - 2
	b := append([]byte{1}, stack[k][:]...)
	stack[k] = sha256.Sum256(append(b, stack[k+1][:]...))
	return stack[:k+1]
}
