# written by gbt hook install for OpenHands; gbt hook uninstall removes it.
"""A security analyzer that asks gbt-hook how risky an action is.

    from gbt_analyzer import GbtSecurityAnalyzer
    conversation.set_security_analyzer(GbtSecurityAnalyzer())
    conversation.set_confirmation_policy(ConfirmRisky(threshold=SecurityRisk.MEDIUM))

What gbt approves is LOW. Everything else is HIGH: what needs consent, what it
rejects, and any failure of the hook. The confirmation policy decides what
happens then; with NeverConfirm nothing is asked and nothing is blocked.
"""

import json
import os
import subprocess

from openhands.sdk.event import ActionEvent
from openhands.sdk.security.analyzer import SecurityAnalyzerBase
from openhands.sdk.security.risk import SecurityRisk

HOOK = ["HOOK"]
LIMIT = 10  # seconds


def approved(tool, arguments, cwd):
    """Say whether gbt approves the call. Any doubt is a no."""
    try:
        call = {
            "event_type": "PreToolUse",
            "tool_name": tool,
            "tool_input": json.loads(arguments or "{}"),
            "working_dir": cwd,
        }
        done = subprocess.run(
            HOOK, input=json.dumps(call), capture_output=True, text=True, timeout=LIMIT
        )
        answer = json.loads(done.stdout)
        return done.returncode == 0 and answer.get("decision") == "allow"
    except Exception:  # noqa: BLE001 - whatever went wrong, nothing was approved
        return False


class GbtSecurityAnalyzer(SecurityAnalyzerBase):
    """Rates actions by gbt's decision on them."""

    def security_risk(self, action: ActionEvent) -> SecurityRisk:
        call = action.tool_call
        cwd = os.environ.get("OPENHANDS_PROJECT_DIR") or os.getcwd()
        if approved(action.tool_name, call.arguments, cwd):
            return SecurityRisk.LOW
        return SecurityRisk.HIGH
