package distill

import (
	"errors"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
)

// The classifiers of content gates.
const (
	ContentNone    = "none"
	ContentSecrets = "secrets"
	ContentOpenAI  = "openai"
)

// ContentConfig is the key content of gbt.yaml: who is asked about what a call
// sends (requirement G3).
type ContentConfig struct {
	Classifier string `yaml:"classifier"`
	URL        string `yaml:"url"`
	Model      string `yaml:"model"`
	KeyEnv     string `yaml:"key_env"`
	Timeout    int    `yaml:"timeout"` // seconds

	// Seal is what a policy seals of it, made by whoever knows the classifiers,
	// because the digests of what answers are part of it. The zero value seals no
	// content gate.
	Seal artifacts.Content `yaml:"-"`
}

func defaultContent() ContentConfig {
	return ContentConfig{Classifier: ContentNone, URL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY", Timeout: 20}
}

// Check says what is wrong with the settings.
func (c *ContentConfig) Check() error {
	switch c.Classifier {
	case ContentNone, ContentSecrets:
		return nil
	case ContentOpenAI:
	default:
		return faultAt([]any{"content", "classifier"}, "%q is no classifier: give none, secrets or openai", c.Classifier)
	}
	switch {
	case c.Model == "":
		return &fault{[]any{"content", "model"}, errors.New("name the model to ask, with its version: what answers must be frozen")}
	case !strings.HasPrefix(c.URL, "https://") && !strings.HasPrefix(c.URL, "http://"):
		return faultAt([]any{"content", "url"}, "%q is no address of a server", c.URL)
	case c.Timeout < 1 || c.Timeout > 600:
		return faultAt([]any{"content", "timeout"}, "%d is not 1 to 600 seconds", c.Timeout)
	}
	return nil
}
