package acp

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
)

// permission judges a call that the agent asks the editor about.
func (p *Proxy) permission(m message) error {
	params, ok := object(m["params"])
	call, ok2 := object(params["toolCall"])
	options, ok3 := params.list("options")
	name, ok4 := params.text("sessionId")
	if !ok || !ok2 || !ok3 || !ok4 {
		return p.agent.send(answer(m["id"], chosen("")))
	}
	r, whole := callOf(call)
	p.mu.Lock()
	v, err := p.judge(name, r)
	if err == nil && !whole && v.d.Disposition == gates.RevisionRequired {
		v.d.Disposition, v.why = gates.ApprovedWithConstraints, "is not described so that it can be judged here."
	}
	if err == nil && v.d.Disposition >= gates.ApprovedWithConstraints {
		v.ran() // what is answered is not known here: it counts as run
	}
	p.mu.Unlock()
	switch {
	case err != nil || v.d.Disposition < gates.ApprovedWithConstraints:
		return p.agent.send(answer(m["id"], chosen(idOf(options, rejectOnce))))
	case v.d.Disposition == gates.Approved:
		return p.client.send(m)
	}
	content, _ := call.list("content") // what is no list is replaced
	call["content"] = must(append(content, said(v.why)))
	if len(scope.Of(&v.ctx, &v.d)) == 0 {
		options = slices.DeleteFunc(options, func(o message) bool { kind, ok := o.text("kind"); return !ok || kind == allowAlways })
	}
	params["toolCall"], params["options"] = must(call), must(options)
	m["params"] = must(params)
	return p.client.send(m)
}

// said is gbt's reason as a content of a tool call.
func said(why string) message {
	return message{"type": must("content"), "content": must(map[string]string{"type": "text", "text": "gbt: this call " + why})}
}

func idOf(list []message, kind string) string {
	for _, o := range list {
		if k, _ := o.text("kind"); k == kind {
			id, _ := o.text("optionId")
			return id
		}
	}
	return ""
}

// callOf is a call in the words of the agent: its raw input under what kind of tool it
// is. Agents that give none (Gemini CLI) show the command as the title and a file as the
// one place that the call is about; then whole is false. What is not known stays unknown.
func callOf(call message) (r gates.Request, whole bool) {
	kind, _ := call.text("kind") // without one it is "other"
	tool, ok := map[string]string{"read": "read", "edit": "edit", "delete": "delete_file", "search": "grep", "execute": "bash", "fetch": "web_fetch", "think": "think"}[kind]
	if !ok {
		tool = "acp_" + kind
	}
	if args := call["rawInput"]; len(args) > 2 && args[0] == '{' {
		return gates.Request{Tool: tool, Args: args}, true
	}
	shown := map[string]string{}
	if title, ok := call.text("title"); ok && kind == "execute" {
		shown["command"] = title
	}
	if places, ok := call.list("locations"); ok && len(places) == 1 && kind != "execute" {
		shown["path"], _ = places[0].text("path")
	}
	return gates.Request{Tool: tool, Args: must(shown)}, false
}

// use judges a file or a terminal that the agent uses through the editor.
func (p *Proxy) use(ctx context.Context, method string, m message) error {
	params, _ := object(m["params"])
	name, ok := params.text("sessionId")
	r, read := usedBy(method, params)
	if !ok || !read {
		return p.agent.send(refused(m["id"], "gbt: what this asks for can't be read"))
	}
	p.mu.Lock()
	v, err := p.judge(name, r)
	switch {
	case err == nil && v.d.Disposition == gates.Approved:
		v.ran()
	case err == nil && v.d.Disposition == gates.ApprovedWithConstraints:
		v.offer()
	}
	p.mu.Unlock()
	switch {
	case err != nil:
		return p.agent.send(refused(m["id"], "gbt: "+err.Error()))
	case v.d.Disposition == gates.Approved:
		return p.client.send(m)
	case v.d.Disposition < gates.ApprovedWithConstraints:
		return p.agent.send(refused(m["id"], "gbt: blocked. This call "+v.why))
	}
	m["params"] = must(params) // as it was judged
	go p.question(ctx, name, m, r, v)
	return nil
}

// usedBy is a use of the editor as a call.
func usedBy(method string, params message) (gates.Request, bool) {
	path, ok := params.text("path")
	content, ok2 := params.text("content")
	switch method {
	case "fs/read_text_file":
		return gates.Request{Tool: "read_file", Args: must(map[string]string{"path": path})}, ok && path != ""
	case "fs/write_text_file":
		return gates.Request{Tool: "write_file", Args: must(map[string]string{"path": path, "content": content})}, ok && ok2 && path != ""
	}
	line, ok := terminal(params)
	args := map[string]string{"command": line}
	cwd, ok2 := params.text("cwd")
	if cwd != "" {
		args["workdir"] = cwd
	}
	return gates.Request{Tool: "bash", Args: must(args)}, ok && ok2
}

// terminal is the command line of a terminal. Editors give a command without words
// behind it to a shell.
func terminal(params message) (string, bool) {
	line, ok := params.text("command")
	var words []string
	if raw, there := params["args"]; there && json.Unmarshal(raw, &words) != nil {
		return "", false
	}
	if len(words) > 0 {
		line = scope.Quote(append([]string{line}, words...))
	}
	env, ok2 := params.list("env")
	set := []string{"env"}
	for _, e := range env {
		name, ok := e.text("name")
		value, ok2 := e.text("value")
		if !ok || !ok2 {
			return "", false
		}
		set = append(set, name+"="+value)
	}
	if len(env) > 0 {
		line = scope.Quote(set) + " " + line
	}
	return line, ok && ok2 && line != ""
}

// question asks the editor's user and passes the use on after a yes.
func (p *Proxy) question(ctx context.Context, name string, m message, r gates.Request, v *verdict) {
	options := []option{{allowOnce, "Allow once", allowOnce}, {rejectOnce, "Reject", rejectOnce}}
	if v.offered != "" {
		options = append(options, option{allowAlways, "Allow for this session: " + v.offered, allowAlways})
	}
	said := p.ask(ctx, name, r, v.why, options)
	p.mu.Lock()
	agreed := v.agreed(said)
	if agreed {
		v.ran()
	}
	p.mu.Unlock()
	if agreed {
		_ = p.client.send(m) // an editor that is gone ends Run
		return
	}
	_ = p.agent.send(refused(m["id"], "gbt: the user did not consent. This call "+v.why))
}

// offer notes what a yes for the session to the question about a call is remembered for.
// The question has a name of its own: what agents call their requests names nothing. The
// lock is held.
func (v *verdict) offer() {
	v.at.asked++
	v.question = strconv.Itoa(v.at.asked)
	v.at.past.Ask(v.question, func(int64) string { return v.question })
	var what scope.Scope
	what, v.offered = scope.Offer(&v.ctx, &v.d)
	v.at.past.Offer(v.question, what)
}

// agreed takes in what the user chose. A yes for the session to a question that offers
// nothing any more is no yes. The lock is held.
func (v *verdict) agreed(said string) bool {
	past := &v.at.past
	if said == allowAlways {
		return past.SettledSession(v.question, v.question)
	}
	return past.Settled(v.question, v.question) && said == allowOnce
}

// ask puts a question of gbt's own to the editor, and returns the option that was
// chosen, or nothing.
func (p *Proxy) ask(ctx context.Context, name string, r gates.Request, why string, options []option) string {
	wait := make(chan outcome, 1)
	p.mu.Lock()
	if len(p.waiting) >= maxWaiting {
		p.mu.Unlock()
		return ""
	}
	p.asked++
	id := p.prefix + strconv.Itoa(p.asked)
	p.waiting[string(must(id))] = wait
	p.mu.Unlock()
	call := map[string]any{"toolCallId": id, "title": r.Tool + ": gbt asks", "rawInput": json.RawMessage(r.Args), "status": "pending", "content": []message{said(why)}}
	if p.client.send(request(id, "session/request_permission", map[string]any{"sessionId": name, "toolCall": call, "options": options})) != nil {
		return ""
	}
	select {
	case o := <-wait:
		if o.Outcome.Outcome == "selected" {
			return o.Outcome.OptionID
		}
	case <-ctx.Done():
	}
	return ""
}
