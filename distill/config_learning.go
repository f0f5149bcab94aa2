package distill

import (
	"errors"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// LearningConfig is the key learning of gbt.yaml: how gates are learned.
type LearningConfig struct {
	Off         bool           `yaml:"off"`
	Epsilon     float64        `yaml:"epsilon"`
	EpsilonNode float64        `yaml:"epsilon_node"`
	Ask         float64        `yaml:"ask"`
	Conditions  string         `yaml:"conditions"`
	Proposer    ProposerConfig `yaml:"proposer"`
}

// What becomes of conditions that are mined.
const (
	ConditionsRequired = "required"
	ConditionsAdvice   = "advice"
	ConditionsOff      = "off"
)

// The proposers of gates beside the learner.
const (
	ProposerNone   = "none"
	ProposerOpenAI = "openai"
)

// ProposerConfig is the key learning.proposer: the model that proposes gates
// where the learner has none.
type ProposerConfig struct {
	Kind      string `yaml:"kind"`
	URL       string `yaml:"url"`
	Model     string `yaml:"model"`
	KeyEnv    string `yaml:"key_env"`
	Timeout   int    `yaml:"timeout"` // seconds
	Questions int    `yaml:"questions"`
	Cassette  string `yaml:"cassette"`
}

// defaultLearning has the shares of requirement G6, and one question in fifty calls.
func defaultLearning() LearningConfig {
	return LearningConfig{Epsilon: 0.01, EpsilonNode: 0.02, Ask: 0.02, Conditions: ConditionsRequired, Proposer: ProposerConfig{
		Kind: ProposerNone, URL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY", Timeout: 60, Questions: 8,
	}}
}

// learnOptions are the settings as package learn takes them.
func (c *Config) learnOptions() learn.Options {
	return learn.Options{EpsGlobal: c.Learning.Epsilon, EpsNode: c.Learning.EpsilonNode, Ask: c.Learning.Ask, Library: c.Library.on()}
}

func (c *LearningConfig) check() error {
	for _, f := range []struct {
		name  string
		share float64
	}{{"epsilon", c.Epsilon}, {"epsilon_node", c.EpsilonNode}, {"ask", c.Ask}} {
		if !(f.share > 0 && f.share <= 1) {
			return faultAt([]any{"learning", f.name}, "%v is not a share: give a number above 0 and at most 1", f.share)
		}
	}
	switch c.Conditions {
	case ConditionsRequired, ConditionsAdvice, ConditionsOff:
	default:
		return faultAt([]any{"learning", "conditions"}, "%q is none of required, advice and off", c.Conditions)
	}
	return c.Proposer.check()
}

// maxModelName bounds what is written into the message of every gate of a model.
const maxModelName = 200

func (c *ProposerConfig) check() error {
	at := func(key string) []any { return []any{"learning", "proposer", key} }
	switch c.Kind {
	case ProposerNone:
		return nil
	case ProposerOpenAI:
	default:
		return faultAt(at("kind"), "%q is no proposer: give none or openai", c.Kind)
	}
	switch {
	case c.Model == "" || len(c.Model) > maxModelName:
		return &fault{at("model"), errors.New("name the model to ask, with its version: what answers must be frozen")}
	case !strings.HasPrefix(c.URL, "https://") && !strings.HasPrefix(c.URL, "http://"):
		return faultAt(at("url"), "%q is no address of a server", c.URL)
	case c.Timeout < 1 || c.Timeout > 600:
		return faultAt(at("timeout"), "%d is not 1 to 600 seconds", c.Timeout)
	case c.Questions < 1 || c.Questions > 1000:
		return faultAt(at("questions"), "%d is not 1 to 1000 questions", c.Questions)
	}
	return nil
}
