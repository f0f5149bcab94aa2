package call

import (
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestNamesThatTell: names without a verb that end with what is known of a thing
// read it, and their near twins do not.
func TestNamesThatTell(t *testing.T) {
	reads := []string{
		"job_status", "symbol_references", "goDiagnostics", "channel-history", "dependency_hierarchy", "console_errors", "status_of_job", "package_dependencies",
		"resolve-package-id", "resolve_symbol", "browser_resize", "close_page", "browser_wait_for", "schema", "pull_request_read", "list_pull_requests", "browser_console_messages",
		"get_merge_request_diffs", "list_merge_requests", "prepare_call_hierarchy", "get_call_graph", "weather_forecast", "marine_weather", "whoami",
		"extract_text", "extract_slide_text", "extract_contacts", "explain", "explain_query", "aggregate", "aggregate_orders",
	}
	for _, name := range reads {
		if c := Classify("mcp__x__" + name); !c.Verb.Reads() && c.Verb != effect.VerbNavigate || c.High {
			t.Errorf("%s: %+v", name, c)
		}
	}
	for _, name := range []string{"complete_task", "finish", "confirm", "confirm_with_user", "task_complete"} {
		if c := Classify("mcp__x__" + name); c.Verb != effect.VerbFinish && c.Verb != effect.VerbAsk {
			t.Errorf("%s: %+v", name, c)
		}
	}
	for _, name := range []string{
		"clear_history", "resolve_host_name", "resolve_ip_address", "update_status", "status_and_restart", "history_purge", "resolve_issue", "resolve_thread", "resolve_and_delete_id", "resolve_name_and_ban",
		"close_issue", "resize_volume", "close_account_page", "wait_and_click", "report", "snapshot", "payment", "deploy_status_hook", "resolve", "wait_for_approval", "close",
		"page_close_resize", "error_injector", "version_bumper", "pull_request_review_write", "merge_pull_request", "create_pull_request",
		"merge_merge_request", "approve_merge_request", "close_merge_request", "call_tool", "call_stack_trim", "make_call", "call_history_clear", "weather_control", "weather_station_reset", "confirm_payment", "complete_booking", "finish_order", "confirm_order_details", "complete_card_payment", "extract", "extract_archive", "extract_files", "extract_to_folder", "extract_and_delete_text", "extract_zip", "explain_then_run", "aggregate_and_save", "merge_requests_into_main",
	} {
		if c := Classify("mcp__x__" + name); c.Verb.Reads() || c.Verb == effect.VerbNavigate {
			t.Errorf("%s counts as reading: %+v", name, c)
		}
	}
}
