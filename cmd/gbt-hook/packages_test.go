package main

import (
	"testing"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// TestPackagesOfOthers: inline Python uses the workspace's modules and packages that compute; of
// others it may only ask the version.
func TestPackagesOfOthers(t *testing.T) {
	r := newRepo(t)
	r.write("shop/__init__.py", "")
	r.write("src/inner.py", "def f(x): return x\n")
	r.git("add", "shop")
	r.write("brought/__init__.py", "") // by a package manager, maybe: nobody has it in git
	for line, want := range map[string]hosts.Outcome{
		`python3 -c 'import shop; shop.count()'`:                                                             hosts.Proceeds,
		`python3 -c 'from shop import count; print(count())'`:                                                hosts.Proceeds,
		`python3 -c 'import inner; print(inner.f(2))'`:                                                       hosts.Proceeds,
		`python3 -c 'import numpy as np; print(np.mean([1, 2]))'`:                                            hosts.Proceeds,
		`python3 -c 'import wandb; print(wandb.__version__)'`:                                                hosts.Proceeds,
		`python3 -c 'import wandb; print(dir(wandb))'`:                                                       hosts.Proceeds,
		"printf 'def f(): return 2\\n' > own.py\npython3 -c 'import own; print(own.f())'":                    hosts.Proceeds,
		`python3 -c 'import brought; brought.count()'`:                                                       hosts.Asks,
		`python3 -c 'import wandb; wandb.init()'`:                                                            hosts.Asks,
		`python3 -c 'import wandb as w; w.init()'`:                                                           hosts.Asks,
		`python3 -c 'import wandb; x = wandb; x.init()'`:                                                     hosts.Asks,
		`python3 -c 'from huggingface_hub import HfApi; HfApi().delete_repo("a/x")'`:                         hosts.Asks,
		`python3 -c 'from huggingface_hub import *; delete_repo("a/x")'`:                                     hosts.Asks,
		`python3 -c 'import huggingface_hub.hf_api as h; h.HfApi()'`:                                         hosts.Asks,
		"python3 - <<'X'\nimport git\ngit.Repo('.').git.push('--force')\nX":                                  hosts.Asks,
		`python3 -c 'import django; from django.core.management import call_command; call_command("flush")'`: hosts.Asks,
	} {
		r.want(want, line)
	}
}
