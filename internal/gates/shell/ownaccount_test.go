package shell_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestOwnAccount holds what reads of the user's own account pass and what makes them ask.
func TestOwnAccount(t *testing.T) {
	for _, c := range []struct {
		name, line string
		asks       bool
	}{
		{"a list", "aws ec2 describe-vpcs", false},
		{"fields of it", "aws ec2 describe-vpcs --query 'Vpcs[].VpcId' --output text", false},
		{"another of the user's profiles", "aws ec2 describe-vpcs --profile dev --region eu-west-1", false},
		{"a profile by a variable", "AWS_PROFILE=dev aws ec2 describe-vpcs", false},
		{"a pager that is none", "AWS_PAGER= aws ec2 describe-vpcs", false},
		{"a name that looks like a path", "aws logs describe-log-groups --log-group-name-prefix /aws/lambda", false},
		{"a value of a loop", `for v in vpc-1 vpc-2; do aws ec2 describe-vpcs --vpc-ids "$v"; done`, false},
		{"a value of an earlier read", `id=$(aws ec2 describe-vpcs --query 'Vpcs[0].VpcId' --output text); aws ec2 describe-subnets --filters "Name=vpc-id,Values=$id"`, false},
		{"a variable of the line", `ID=vpc-1; aws ec2 describe-vpcs --vpc-ids "$ID"`, false},
		{"behind set -e", "set -euo pipefail; aws s3 ls", false},
		{"an emulator on this machine", "aws --endpoint-url http://localhost:4566 s3 ls", false},
		{"an address", "aws ec2 describe-vpcs --endpoint-url https://a.example", true},
		{"an address by a variable", "AWS_ENDPOINT_URL=https://a.example aws ec2 describe-vpcs", true},
		{"an exported one", "export AWS_ENDPOINT_URL=https://a.example; aws ec2 describe-vpcs", true},
		{"one that is exported before", "AWS_ENDPOINT_URL=https://a.example; aws ec2 describe-vpcs", true},
		{"one of a file", ". ./cloud.env; aws ec2 describe-vpcs", true},
		{"ones that are computed", "export $(cat vars); aws ec2 describe-vpcs", true},
		{"a default that is assigned", ": ${AWS_ENDPOINT_URL:=https://a.example}; aws ec2 describe-vpcs", true},
		{"one by env", "env AWS_CONFIG_FILE=cfg aws ec2 describe-vpcs", true},
		{"a pager", "AWS_PAGER='sh -c id' aws ec2 describe-vpcs", true},
		{"a variable that nobody knows", "AWS_CA_BUNDLE=x aws ec2 describe-vpcs", true},
		{"words that may be options", "aws ec2 describe-vpcs $MORE", true},
		{"a file that goes along", "aws ec2 describe-vpcs --filters file://f.json", true},
		{"headers of requests", "aws ec2 describe-vpcs --debug", true},
		{"an option that is not listed", "aws ec2 describe-vpcs --cli-input-json file://f.json", true},
		{"outside the workspace", "cd /srv/other && aws ec2 describe-vpcs", true},
		{"a program of the line's own", "PATH=./bin:$PATH aws ec2 describe-vpcs", true},
		{"columns of its own", "gcloud compute instances list --project a", false},
		{"fields that are named", `gcloud compute instances list --format="value(name,zone.basename(),networkInterfaces[0].networkIP)"`, false},
		{"a list of metadata", "gcloud compute instances list --format=json", true},
		{"a field of metadata", "gcloud compute instances list --format 'value(name,metadata.items)'", true},
		{"what is described without it", "gcloud pubsub topics describe a --format=json", false},
		{"log lines", "gcloud logging read severity=ERROR", true},
		{"someone else", "gcloud pubsub topics list --impersonate-service-account=a@b", true},
		{"names of what has variables", "aws lambda list-functions --query 'Functions[].FunctionName'", false},
		{"more of its fields", "aws lambda list-functions --query 'Functions[*].{Name:FunctionName,Runs: Runtime}' --output table", false},
		{"a field of one", "aws lambda get-function-configuration --function-name a --query State", false},
		{"a list of fields", "aws lambda list-functions --query 'Functions[].[FunctionName, LastModified]'", false},
		{"variables by their name", "aws lambda list-functions --query 'Functions[].Environment'", true},
		{"variables under another name", "aws lambda list-functions --query 'Functions[].{Name:Environment}'", true},
		{"a variable that is called like a plain field", "aws lambda list-functions --query 'Functions[].Environment.Variables.*'", true},
		{"one variable among plain fields", "aws lambda list-functions --query 'Functions[].{A:FunctionName,B:Environment.Variables.*}'", true},
		{"a variable of a plain end", "aws lambda list-functions --query 'Functions[].Environment.Variables.KeyId'", true},
		{"what a container is called", "aws ecs describe-task-definition --task-definition a --query 'taskDefinition.containerDefinitions[].name'", false},
		{"all of one", "aws lambda list-functions --query 'Functions[0]'", true},
		{"all there is", "aws lambda list-functions --query '@'", true},
		{"a query with a function", "aws lambda list-functions --query 'to_string(Functions)'", true},
		{"a query that is computed", `aws lambda list-functions --query "$Q"`, true},
		{"two queries", "aws lambda list-functions --query 'Functions[].FunctionName' --query Functions", true},
		{"variables of what runs", "aws lambda list-functions", true},
		{"a secret", "aws secretsmanager get-secret-value --secret-id a", true},
		{"a row", "aws dynamodb get-item --table-name a --key '{}'", true},
		{"a change", "aws ec2 delete-vpc --vpc-id vpc-1", true},
	} {
		ctx := gates.ShellContext(c.line, gates.State{Cwd: "/srv/project", Roots: []string{"/srv/project"}, Home: "/home/me", UID: 1000, GID: 1000})
		var g gates.Guardrail
		if asks := g.Decide(&ctx).Disposition != gates.Approved; asks != c.asks {
			t.Errorf("%s: %s: asks %v, want %v", c.name, c.line, asks, c.asks)
		}
	}
}
