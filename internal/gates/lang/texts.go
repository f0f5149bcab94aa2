package lang

import (
	"slices"
	"sync"
)

// maxRead is how many bytes of texts and of what they came to Texts keeps.
const maxRead = 1 << 26

// Texts compiles texts of gates, each once: learning without a task, for one task after
// the other, comes to the same texts again and again. What it keeps is bounded: past
// maxRead it begins anew. It may be used by many at a time. The zero value is ready.
type Texts struct {
	mu        sync.Mutex
	size      int
	compiled  map[string]compiled
	constants map[string]constants
}

type compiled struct {
	canonical string
	prog      []byte
	err       error
}

type constants struct {
	list []string
	err  error
}

// Compile is Compile of the package. The program is shared: nobody may change it.
func (t *Texts) Compile(text string) (canonical string, prog []byte, err error) {
	t.mu.Lock()
	c, ok := t.compiled[text]
	t.mu.Unlock()
	if !ok {
		c.canonical, c.prog, c.err = Compile(text)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.room(len(text) + len(c.canonical) + len(c.prog))
		t.compiled[text] = c
	}
	return c.canonical, c.prog, c.err
}

// Constants is Constants of the package.
func (t *Texts) Constants(text string) ([]string, error) {
	t.mu.Lock()
	c, ok := t.constants[text]
	t.mu.Unlock()
	if !ok {
		c.list, c.err = Constants(text)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.room(2 * len(text)) // no more than the text is in its constants
		t.constants[text] = c
	}
	return slices.Clone(c.list), c.err
}

// room makes room for so many bytes more.
func (t *Texts) room(n int) {
	if t.size += n; t.compiled == nil || t.size > maxRead {
		t.size, t.compiled, t.constants = n, map[string]compiled{}, map[string]constants{}
	}
}
