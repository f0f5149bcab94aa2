package call

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// roleEntry gives the roles of a built-in tool's arguments: "name:role" parted
// by blanks. What is not listed is guessed from its name.
type roleEntry struct{ tool, roles string }

// builtinRole returns the role of a built-in tool's top-level argument.
func builtinRole(tool, key string) (effect.Role, bool) {
	i, ok := find(builtinRoles[:], tool, func(e roleEntry) string { return e.tool })
	if !ok {
		return effect.RoleNone, false
	}
	for rest, pair := builtinRoles[i].roles, ""; rest != ""; {
		pair, rest, _ = strings.Cut(rest, " ")
		if name, role, _ := strings.Cut(pair, ":"); name == key {
			return effect.ParseRole(role)
		}
	}
	return effect.RoleNone, false
}

// builtinRoles are the arguments of the built-in tools, from the hosts' own
// documentation and source: OpenHands (openhands-tools), SWE-agent (tools/*/
// config.yaml), Claude Code (tools reference), Codex (core/src/tools), Gemini CLI
// (docs/tools), Cursor, opencode, Copilot, Cline. An argument that several tools
// of one name have differently has the riskier role.
//
// words are what a host lets the model write for people beside a call: the
// description of Claude Code's Bash and Task, of Gemini CLI's run_shell_command
// and opencode's bash, Codex's justification, Cursor's explanation, Copilot's
// explanation and goal, OpenHands' thought, message and summary, the text of
// thinking, planning, asking and finishing tools, and Gemini CLI's instruction
// of an edit. They are no part of a context (requirement C5). Sorted by tool.
var builtinRoles = [...]roleEntry{
	{"activate_skill", "name:record"},
	{"agent", "description:words prompt:payload subagent_type:record"},
	{"apply_patch", "input:payload patch:payload command:payload explanation:words thought:words"},
	{"ask_followup_question", "question:words options:words follow_up:words"},
	{"ask_user", "question:words questions:words"},
	{"askuserquestion", "questions:words answers:words"},
	{"attempt_completion", "result:words command:command task_progress:words"},
	{"bash", "command:command cmd:command description:words explanation:words thought:words summary:words goal:words workdir:cwd cwd:cwd dangerouslyDisableSandbox:escalate"},
	{"browse", "url:url-fetch thought:words"},
	{"browse_interactive", "browser_actions:command thought:words"},
	{"browser_click", "element:words"},
	{"browser_fill_form", "fields:payload"},
	{"browser_navigate", "url:url-fetch"},
	{"browser_type", "text:payload element:words"},
	{"chat", "content:words thought:words"},
	{"codebase_search", "explanation:words target_directories:path-list"},
	{"complete_task", "result:words"},
	{"create", "filename:path-write path:path-write"},
	{"create_file", "path:path-write file_path:path-write filePath:path-write content:payload explanation:words"},
	{"delegate", "thought:words inputs:payload"},
	{"delete_file", "path:path-delete target_file:path-delete explanation:words"},
	{"edit", "file_path:path-write filePath:path-write path:path-write content:payload new_string:payload newString:payload thought:words explanation:words"},
	{"edit_file", "target_file:path-write path:path-write instructions:words explanation:words code_edit:payload"},
	{"enterplanmode", "plan:words"},
	{"exec", "command:command cmd:command justification:words workdir:cwd cwd:cwd sandbox_permissions:escalate with_escalated_permissions:escalate"},
	{"exec_command", "cmd:command command:command workdir:cwd justification:words sandbox_permissions:escalate with_escalated_permissions:escalate"},
	{"execute", "command:command summary:words riskLevelReason:words"},
	{"execute_bash", "command:command thought:words summary:words"},
	{"execute_command", "command:command requires_approval:words task_progress:words"},
	{"execute_ipython_cell", "code:code thought:words summary:words"},
	{"execute_query", "query:sql sql:sql"},
	{"execute_sql", "query:sql sql:sql"},
	{"exit_plan_mode", "plan:words plan_path:path-read"},
	{"exitplanmode", "plan:words"},
	{"fetch", "url:url-fetch"},
	{"fetch_webpage", "urls:url-fetch query:words"},
	{"file_editor", "path:path-write file_text:payload new_str:payload thought:words summary:words"},
	{"finish", "message:words final_thought:words outputs:words task_completed:words thought:words summary:words"},
	{"google_web_search", "query:payload"},
	{"grep", "path:path-list pattern:record"},
	{"grep_search", "explanation:words"},
	{"insert_edit_into_file", "filePath:path-write explanation:words code:payload"},
	{"ipython", "code:code thought:words"},
	{"list_dir", "explanation:words relative_workspace_path:path-list"},
	{"local_shell", "command:command workdir:cwd working_directory:cwd justification:words with_escalated_permissions:escalate"},
	{"manage_todo_list", "todoList:words explanation:words"},
	{"message", "text:words content:words thought:words"},
	{"multiedit", "file_path:path-write edits:payload"},
	{"notebookedit", "notebook_path:path-write new_source:payload"},
	{"question", "questions:words question:words"},
	{"read_file", "explanation:words target_file:path-read path:path-read file_path:path-read absolute_path:path-read"},
	{"replace", "file_path:path-write instruction:words new_string:payload"},
	{"request_user_input", "questions:words"},
	{"run", "command:command thought:words"},
	{"run_command", "CommandLine:command command:command Cwd:cwd cwd:cwd"},
	{"run_in_terminal", "command:command explanation:words goal:words"},
	{"run_ipython", "code:code thought:words"},
	{"run_query", "query:sql sql:sql"},
	{"run_shell_command", "command:command description:words dir_path:cwd directory:cwd"},
	{"run_sql", "query:sql sql:sql"},
	{"run_terminal_cmd", "command:command explanation:words"},
	{"save_memory", "fact:payload"},
	{"search_replace", "file_path:path-write new_string:payload explanation:words"},
	{"sequentialthinking", "thought:words"},
	{"shell", "command:command workdir:cwd cwd:cwd justification:words sandbox_permissions:escalate with_escalated_permissions:escalate"},
	{"shell_command", "command:command workdir:cwd justification:words sandbox_permissions:escalate with_escalated_permissions:escalate"},
	{"spawn_agent", "message:payload items:payload"},
	{"str_replace_editor", "path:path-write file_text:payload new_str:payload thought:words summary:words"},
	{"submit", "message:words"},
	{"task", "description:words prompt:payload subagent_type:record"},
	{"task_tracker", "task_list:words summary:words thought:words"},
	{"taskcreate", "subject:words description:words activeForm:words"},
	{"taskupdate", "subject:words description:words activeForm:words"},
	{"terminal", "command:command summary:words thought:words"},
	{"think", "thought:words thoughts:words content:words summary:words"},
	{"todo_write", "todos:words"},
	{"todowrite", "todos:words"},
	{"update_plan", "plan:words explanation:words"},
	{"web__run", "search_query:payload image_query:payload open:url-fetch response_length:words"},
	{"web_fetch", "prompt:payload url:url-fetch"},
	{"web_search", "query:payload explanation:words"},
	{"webfetch", "url:url-fetch prompt:payload"},
	{"websearch", "query:payload"},
	{"write", "file_path:path-write filePath:path-write path:path-write content:payload thought:words"},
	{"write_file", "file_path:path-write path:path-write content:payload"},
	{"write_todos", "todos:words"},
}
