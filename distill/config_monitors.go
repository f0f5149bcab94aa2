package distill

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/replay/monitor"
)

// LoadMonitors makes a file's content the specification that the configuration
// names: its verdicts judge episodes that nobody judged. With a problem nothing
// changes.
func (c *Config) LoadMonitors(file string, data []byte) []corpora.Problem {
	spec, problems := monitor.Parse(file, data)
	if spec == nil {
		return problems
	}
	sum := sha256.Sum256(data)
	c.Monitors, c.monitors, c.monitorsDigest = file, spec, hex.EncodeToString(sum[:])
	return problems
}

// monitorsLoaded fails for settings that name a file of monitors that nobody
// read: a specification must not be silently left out.
func (c *Config) monitorsLoaded() error {
	if c.Monitors != "" && c.monitors == nil {
		return fmt.Errorf("the monitors in %s were not loaded", c.Monitors)
	}
	return nil
}
