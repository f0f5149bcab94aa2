package distill

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the commented default configuration
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/replay/monitor"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// Config is gbt.yaml. Zero values mean the default, which DefaultYAML states
// with its reason.
type Config struct {
	Name     string         `yaml:"name"`
	Profile  string         `yaml:"profile"`
	Labels   Labels         `yaml:"labels"`
	Outcomes OutcomesConfig `yaml:"outcomes,omitempty"`
	Families []Family       `yaml:"families"`
	KeepText bool           `yaml:"keep_text"`
	Tree     Settings       `yaml:"tree"`

	Guardrail GuardrailConfig `yaml:"guardrail"`
	Tools     []ToolConfig    `yaml:"tools"`
	Servers   []ServerConfig  `yaml:"servers,omitempty"`
	Content   ContentConfig   `yaml:"content"`
	Library   LibraryConfig   `yaml:"library,omitempty"`
	Gates     []GateConfig    `yaml:"gates"`
	Learning  LearningConfig  `yaml:"learning"`

	// Monitors names a file with the user's own specification of what must not
	// happen, for LoadMonitors (internal/replay/monitor/SPEC.md).
	Monitors string `yaml:"monitors"`

	monitors       *monitor.Spec
	monitorsDigest string
}

// Labels says which unlabelled episodes count as successes.
type Labels struct {
	SafeIsSuccess       bool `yaml:"safe_is_success"`
	UnlabelledIsSuccess bool `yaml:"unlabelled_is_success"`
}

// Family is a task family given by hand.
type Family struct {
	Name       string   `yaml:"name"`
	Groups     []string `yaml:"groups"`
	Prototypes []string `yaml:"prototypes"`
}

// Settings are the numbers of a policy, in the units people write: 0.78, not
// 780. Their meanings are those of tree.Params.
type Settings struct {
	ThetaHigh     *float64 `yaml:"theta_high"`
	ThetaLow      *float64 `yaml:"theta_low"`
	Ambiguous     *float64 `yaml:"ambiguous"`
	ExploreBudget *int32   `yaml:"explore_budget"`
	RouteAbstain  *float64 `yaml:"route_abstain"`
	RouteKeep     *float64 `yaml:"route_keep"`
	RouteEvery    *int32   `yaml:"route_every"`
	RouteSwitch   *float64 `yaml:"route_switch"`
	Abstain       *float64 `yaml:"abstain"`
	AbstainLate   *float64 `yaml:"abstain_late"`
	Alpha         *float64 `yaml:"alpha"`
	Beta          *float64 `yaml:"beta"`
	EnvCos        *float64 `yaml:"env_cos"`
	Lambda        *float64 `yaml:"lambda"`
	MaxRecovery   *int32   `yaml:"max_recovery"`
	AllowedShare  *float64 `yaml:"allowed_share"`
	MaxChildren   *int32   `yaml:"max_children"`
	Novelty       *float64 `yaml:"novelty"`
	SplitAliased  *bool    `yaml:"split_aliased"`

	ShareSuccessors *bool `yaml:"share_successors"`
	PoolWords       *bool `yaml:"pool_words"`
	RecoveryFilters *bool `yaml:"recovery_filters"`
	MineChecks      *bool `yaml:"mine_checks"`
}

// DefaultYAML is the commented configuration that gbt init writes. Reading it
// gives DefaultConfig; a test holds the two together.
//
//go:embed gbt.yaml
var DefaultYAML []byte

// DefaultConfig returns the settings of a run without a configuration.
func DefaultConfig() Config {
	return Config{Name: "policy", Profile: tree.DefaultProfile, Labels: Labels{SafeIsSuccess: true},
		Guardrail: GuardrailConfig{Profile: gates.ProfileWorkspace.String()}, Content: defaultContent(), Learning: defaultLearning()}
}

// ReadConfig reads gbt.yaml over the defaults. Unknown keys are errors: a
// misspelt setting must not be a silent default.
func ReadConfig(data []byte) (Config, error) {
	c := DefaultConfig()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return Config{}, plainKeys(data, err)
	}
	err := c.check()
	var f *fault
	if errors.As(err, &f) {
		err = fmt.Errorf("line %d: %w", locate(data, f.at...), err)
	}
	return c, err
}

func (c *Config) check() error {
	if c.Profile != tree.DefaultProfile && c.Profile != tree.ReferenceProfile {
		return fmt.Errorf("profile %q is neither %s nor %s", c.Profile, tree.DefaultProfile, tree.ReferenceProfile)
	}
	if c.Name == "" {
		return errors.New("name is empty: a policy needs one")
	}
	seen := map[string]bool{}
	for _, f := range c.Families {
		switch {
		case f.Name == "":
			return errors.New("a family has no name")
		case seen[f.Name]:
			return fmt.Errorf("family %q is given twice", f.Name)
		case len(f.Groups) == 0:
			return fmt.Errorf("family %q names no groups: give the suites, repositories or sites it is made of", f.Name)
		case slices.ContainsFunc(f.Groups, func(g string) bool { _, err := path.Match(g, ""); return err != nil }):
			return fmt.Errorf("family %q has a group that is no glob: %q; a bracket is closed by ]", f.Name, f.Groups)
		case len(f.Prototypes) > 8:
			return fmt.Errorf("family %q has %d prototypes: at most 8", f.Name, len(f.Prototypes))
		case slices.ContainsFunc(f.Prototypes, func(s string) bool { return strings.TrimSpace(s) == "" }):
			return fmt.Errorf("family %q has an empty prototype: give the text of a task", f.Name)
		}
		seen[f.Name] = true
	}
	if _, err := c.Params(); err != nil {
		return err
	}
	if err := c.Learning.check(); err != nil {
		return err
	}
	if _, err := c.Guardrail.Sealed(); err != nil {
		return err
	}
	if _, err := c.servers(); err != nil {
		return err
	}
	if _, err := c.schemas(); err != nil {
		return err
	}
	if err := c.Library.check(); err != nil {
		return err
	}
	if _, err := c.SealedGates(); err != nil {
		return err
	}
	return c.Content.Check()
}

// splitAliased is on by default, off in the reference profile, which shares no
// states.
func (c *Config) splitAliased() bool {
	return c.Profile != tree.ReferenceProfile && !off(c.Tree.SplitAliased)
}

// recoveryFilters are off by default, because they cost more good ways out than bad
// ones (package internal/tree/merge), and on in the literal scheme.
func (c *Config) recoveryFilters() bool {
	if on := c.Tree.RecoveryFilters; on != nil {
		return *on
	}
	return c.Profile == tree.ReferenceProfile
}

// off reports whether a setting that is on by default is turned off.
func off(b *bool) bool { return b != nil && !*b }

func (c *Config) specs() []merge.FamilySpec {
	var out []merge.FamilySpec
	for _, f := range c.Families {
		out = append(out, merge.FamilySpec{Name: f.Name, Groups: f.Groups, Prototypes: f.Prototypes})
	}
	return out
}

// digest identifies the settings that decide a policy: those in force, whether
// they were said or left out; of the monitors what they say, not what their file
// is called; of a model's answers not where they are kept.
func (c *Config) digest() (string, error) {
	said := *c
	said.Monitors, said.Learning.Proposer.Cassette = c.monitorsDigest, ""
	said.Tree = Settings{}
	params, err := c.Params()
	if err != nil {
		return "", err
	}
	canonical, err := yaml.Marshal(&said)
	if err != nil {
		return "", err
	}
	canonical = fmt.Appendf(canonical, "%+v %v %v %v %v", params, c.recoveryFilters(), c.splitAliased(), off(c.Tree.ShareSuccessors), off(c.Tree.PoolWords))
	if off(c.Tree.MineChecks) { // policies of before there were any keep their digest
		canonical = fmt.Append(canonical, " no checks")
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:]), nil
}
