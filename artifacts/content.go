package artifacts

import "strings"

// The classifiers that a content gate can be sealed with.
const (
	ContentSecrets = "secrets" // the built-in one
	ContentOpenAI  = "openai"  // a server with the OpenAI interface
)

// maxContentTimeout bounds how long a call may wait for a classifier, in seconds.
const maxContentTimeout = 600

// contentDigest is the size of a SHA-256.
const contentDigest = 32

// Content is the content gate of a policy (requirement G3): who is asked about
// what calls send, and the digests of what answers and of the question, so that
// another model or template is not taken for the one that was reviewed. The zero
// value is no content gate.
type Content struct {
	Classifier string // empty for none
	URL        string // of the server, as the next two
	Model      string
	KeyEnv     string // the environment variable with its key; may be empty
	Timeout    uint32 // seconds
	Answers    []byte // digest of the classifier
	Template   []byte // digest of the question
}

// Set says whether there is a content gate.
func (g *Content) Set() bool { return g.Classifier != "" }

func contentRecord() *record {
	return &record{rows: []row{
		{name: "classifier", typ: nameType, at: func(v any) any { return &v.(*Content).Classifier }},
		{name: "url", typ: textType, at: func(v any) any { return &v.(*Content).URL }},
		{name: "model", typ: textType, at: func(v any) any { return &v.(*Content).Model }},
		{name: "key", typ: textType, at: func(v any) any { return &v.(*Content).KeyEnv }},
		{name: "timeout", typ: rangeOf[uint32](0, maxContentTimeout), at: func(v any) any { return &v.(*Content).Timeout }},
		{name: "answers", typ: digestOrNone, at: func(v any) any { return &v.(*Content).Answers }},
		{name: "template", typ: digestOrNone, at: func(v any) any { return &v.(*Content).Template }},
	}, after: func(c *codec, v any) {
		g := v.(*Content)
		switch {
		case g.Classifier == "" && isSet(g):
			c.fail("a content gate without a classifier") // one encoding: then all is empty
		case g.Classifier != "" && (len(g.Answers) != contentDigest || len(g.Template) != contentDigest):
			c.fail("digests of %d and %d bytes", len(g.Answers), len(g.Template))
		}
	}}
}

var digestOrNone = typ{text: "no bytes or a digest", size: 2, most: contentDigest, walk: walkBytes}

// content checks that the settings are those of one classifier.
func (c *checker) content(g *Content) {
	switch g.Classifier {
	case "":
		if g.URL != "" || g.Model != "" || g.KeyEnv != "" || g.Timeout != 0 || len(g.Answers) > 0 || len(g.Template) > 0 {
			c.bad("content gate: settings without a classifier")
		}
		return
	case ContentSecrets:
		if g.URL != "" || g.Model != "" || g.KeyEnv != "" || g.Timeout != 0 {
			c.bad("content gate: the built-in classifier has no settings")
		}
	case ContentOpenAI:
		if !strings.HasPrefix(g.URL, "https://") && !strings.HasPrefix(g.URL, "http://") || g.Model == "" || g.Timeout == 0 {
			c.bad("content gate: a server needs an address, a model and a timeout")
		}
	default:
		c.bad("content gate: %.80q is no classifier", g.Classifier)
	}
	if len(g.Answers) != contentDigest || len(g.Template) != contentDigest {
		c.bad("content gate: digests of %d and %d bytes", len(g.Answers), len(g.Template))
	}
}
