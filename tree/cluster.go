package tree

import (
	"strconv"
	"strings"
)

// ClusterKey names the cluster of a state (003 §F.3): what kind of thing it
// touches, its risk level and its signature. Keys are comparable across
// families, which is what lets evidence from one family inform another.
func ClusterKey(s *State) string {
	object := s.Action()
	if i := strings.IndexByte(object, ':'); i >= 0 {
		object = object[i+1:]
	}
	return s.Delta.String() + "/" + strconv.Itoa(int(s.Risk)) + "/" + object
}
