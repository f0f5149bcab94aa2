"""Writes runs of a few tasks as chat records, for gbt distill. They are made up: the test is about running a policy, not about learning one."""

import json

TASKS = [("count the lines of notes.txt", "wc -l notes.txt"), ("show the file notes.txt", "cat notes.txt"), ("list the files here", "ls")]
for n in range(4):
    for i, (task, command) in enumerate(TASKS):
        calls = [("ls -la", "notes.txt"), (command, "ok")]
        messages = [{"role": "user", "content": f"Please {task}" + " now" * n}]
        for k, (c, result) in enumerate(calls):
            call = {"id": f"c{k}", "type": "function", "function": {"name": "bash", "arguments": json.dumps({"command": c})}}
            messages += [{"role": "assistant", "content": f"I run {c}.", "tool_calls": [call]}, {"role": "tool", "tool_call_id": f"c{k}", "content": result}]
        messages.append({"role": "assistant", "content": "Done."})
        print(json.dumps({"id": f"t{i}-{n}", "instance_id": f"task-number-{i}", "model": "made-up", "success": True, "messages": messages}))
