"""Writes runs of one kind of task, count or clean, as chat records for gbt distill. They are made up: the test is about running a policy, not about
learning one."""

import json
import sys

COUNT = [("I read the file with cat notes.txt", "cat notes.txt", "one\ntwo"), ("I count its lines with wc -l notes.txt > count.txt", "wc -l notes.txt > count.txt", "")]
CLEAN = [("I remove the old logs with rm -rf /var/log", "rm -rf /var/log", ""), ("I look at what is left with ls /var/log", "ls /var/log", "")]
KINDS = {
    "count": (COUNT, [f"{verb} the number of lines of notes.txt to count.txt" for verb in ("write", "save", "put", "store")]),
    "clean": (CLEAN, [f"{verb} the old logs of this machine" for verb in ("remove", "delete", "clean up", "throw away")]),
}
steps, tasks = KINDS[sys.argv[1]]
for n in range(3):
    for i, task in enumerate(tasks):
        messages = [{"role": "user", "content": f"Please {task}" + " now" * n}]
        for k, (words, command, result) in enumerate(steps):
            call = {"id": f"c{k}", "type": "function", "function": {"name": "bash", "arguments": json.dumps({"command": command})}}
            messages += [{"role": "assistant", "content": f"{words}.", "tool_calls": [call]}, {"role": "tool", "tool_call_id": f"c{k}", "content": result}]
        messages.append({"role": "assistant", "content": "Done."})
        print(json.dumps({"id": f"t{i}-{n}", "instance_id": f"task-number-{i}", "model": "made-up", "success": True, "messages": messages}))
