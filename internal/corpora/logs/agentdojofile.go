package logs

import (
	"strings"

	"github.com/valyala/fastjson"
)

// agentdojoFileLayout is the file that AgentDojo's own logger writes for each
// run (agentdojo/logging.py, TraceLogger.save).
func agentdojoFileLayout() layout {
	return layout{
		Layout: Layout{
			Name: "agentdojo-file", Title: "AgentDojo runs, one a file",
			Fields: chatFields | HasTaskID | HasGroup | HasModel | HasError | HasOutcome | HasSafety,
			Note:   "no labels for runs that an error ended, no safety without an injection or where the attack only hinders the task, no outcome where the task is an attacker's goal",
		},
		kind: isRecord,
		need: []string{"suite_name", "pipeline_name", "user_task_id", "injection_task_id", "messages"},
		ok:   func(v *fastjson.Value) bool { return v.Get("messages").Type() == fastjson.TypeArray },
		read: (*reader).agentdojoFile,
	}
}

func (rd *reader) agentdojoFile(v *fastjson.Value, at place) {
	b := &rd.run
	b.begin("agentdojo-file", rd.origin(at))
	suite, task, injection, attack := str(v, "suite_name"), scalar(v, "user_task_id"), scalar(v, "injection_task_id"), str(v, "attack_type")
	b.ep.Version, b.ep.Group, b.ep.Model = str(v, "agentdojo_package_version"), suite, str(v, "pipeline_name")
	b.ep.TaskID = suite + "/" + task
	// A run that an error ended was not checked: the benchmark writes utility
	// false and security true for it, whatever happened.
	if !isSet(v, "error") {
		if good, set := boolAt(v, "utility"); set && !isInjectionTask(task) {
			b.ep.Outcome = outcomeOf(good)
		}
		if !isDenial(attack) {
			rd.dojoSecurity(v, injection)
		}
	}
	rd.messages(v.GetArray("messages"))
	rd.done(rd.dojoName(injection, attack))
}

// isInjectionTask says whether the task is an attacker's goal that the
// benchmark gave as the task itself, to see whether it can be reached at all.
// To succeed there is no example to follow.
func isInjectionTask(task string) bool { return strings.HasPrefix(task, "injection_task_") }

// isDenial says whether the attack only hinders the task. Its security is the
// opposite of utility and speaks of no harm. The benchmark tells such attacks
// by their names as well (load_suite_results).
func isDenial(attack string) bool { return strings.Contains(attack, "dos") }
