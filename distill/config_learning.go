package distill

import "github.com/gbt-policy/gbt/gates/learn"

// LearningConfig is the key learning of gbt.yaml: how gates are learned.
type LearningConfig struct {
	Off         bool    `yaml:"off"`
	Epsilon     float64 `yaml:"epsilon"`
	EpsilonNode float64 `yaml:"epsilon_node"`
	Ask         float64 `yaml:"ask"`
}

// defaultLearning has the shares of requirement G6, and one question in twenty.
func defaultLearning() LearningConfig {
	return LearningConfig{Epsilon: 0.01, EpsilonNode: 0.02, Ask: 0.05}
}

// Options are the settings as package learn takes them.
func (c *LearningConfig) Options() learn.Options {
	return learn.Options{EpsGlobal: c.Epsilon, EpsNode: c.EpsilonNode, Ask: c.Ask}
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
	return nil
}
