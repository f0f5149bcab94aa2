package logs

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// part is what one block of a content list is. Agents' programs write a
// message as a list of typed blocks; the types are those of OpenAI's chat and
// responses, of Anthropic's messages, of MCP results and of LangChain.
type part uint8

const (
	unknownPart part = iota
	wordsPart        // text, for whoever reads the message
	thoughtPart      // what the agent thought before it spoke
	callPart
	resultPart
	mediaPart // an image and the like: known, and no words
)

func partOf(p *fastjson.Value) part {
	if p.Type() != fastjson.TypeObject {
		return unknownPart
	}
	kind := string(p.GetStringBytes("type"))
	switch kind {
	case "text", "input_text", "output_text", "summary_text", "reasoning_text", "refusal", "text-plain", "resource_link":
		return wordsPart
	case "document", "resource", "search_result": // only with what they bring: a tool's own data may say the same of its type
		if x := firstOf(p, "source", "resource"); x != nil && (x.Type() == fastjson.TypeObject || isSet(p, "content")) {
			return wordsPart
		}
	case "":
		if t := p.Get("text"); t != nil && t.Type() == fastjson.TypeString {
			return wordsPart
		}
	case "thinking", "redacted_thinking", "reasoning":
		return thoughtPart
	case "tool_use", "toolCall", "tool_call", "function_call", "server_tool_use", "server_tool_call", "mcp_tool_use":
		return callPart
	case "tool_result", "server_tool_result", "function_call_output":
		return resultPart
	case "image", "image_url", "input_image", "file", "input_file", "audio", "input_audio", "video", "container_upload":
		return mediaPart
	}
	if strings.HasSuffix(kind, "_tool_result") { // mcp_, web_search_, code_execution_, …
		return resultPart
	}
	return unknownPart
}

// partText is the text of one content part, and whether the part is known at
// all. Parts that hold no words (calls, images, results, thoughts) are empty.
func partText(p *fastjson.Value) (string, bool) {
	switch partOf(p) {
	case unknownPart:
		return "", false
	case wordsPart:
		return wordsOf(p), true
	}
	return "", true
}

// wordsOf is the text of a part that holds words: its own, or that of the page
// or document that it brings.
func wordsOf(p *fastjson.Value) string {
	switch string(p.GetStringBytes("type")) {
	case "search_result":
		return joinLines(scalar(p, "source"), str(p, "title"), text(p.Get("content")))
	case "document":
		from := p.Get("source")
		if kind := string(from.GetStringBytes("type")); kind == "text" {
			return joinLines(str(p, "title"), str(from, "data"))
		}
		return joinLines(str(p, "title"), text(from.Get("content")))
	case "resource":
		return joinLines(string(p.GetStringBytes("resource", "uri")), string(p.GetStringBytes("resource", "text")))
	case "resource_link":
		return joinLines(str(p, "uri"), str(p, "name"))
	case "refusal":
		return str(p, "refusal")
	}
	return text(firstOf(p, "text", "content"))
}

func joinLines(parts ...string) string { return strings.Join(nonEmpty(parts), "\n") }

func nonEmpty(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// parts is the list of content blocks; nil for content of another form.
func parts(content *fastjson.Value) []*fastjson.Value {
	if content == nil || content.Type() != fastjson.TypeArray {
		return nil
	}
	return content.GetArray()
}

// thinkingText is the thoughts among content parts.
func thinkingText(content *fastjson.Value) string {
	var out []string
	for _, p := range parts(content) {
		if partOf(p) == thoughtPart && string(p.GetStringBytes("type")) != "redacted_thinking" {
			out = append(out, strings.TrimSpace(text(firstOf(p, "thinking", "reasoning", "summary", "content", "text"))))
		}
	}
	return strings.Join(nonEmpty(out), "\n\n")
}

// partCalls is the calls among content parts. Of programs that write a call
// both there and in the message's own list, that list is told in others, and
// tells more.
func (rd *reader) partCalls(content, others *fastjson.Value, at place) []corpora.Step {
	var out []corpora.Step
	for _, p := range parts(content) {
		if partOf(p) != callPart {
			continue
		}
		s := rd.callStep(p, at)
		if isListed(others, s.CallID) {
			continue
		}
		out = append(out, s)
	}
	return out
}

// isListed says whether a list of calls has this one. A call without an id
// cannot be told from those of the list, and counts as one of them.
func isListed(calls *fastjson.Value, id string) bool {
	list := calls.GetArray()
	for _, c := range list {
		if id == callID(c) {
			return true
		}
	}
	return id == "" && len(list) > 0
}

func callID(c *fastjson.Value) string { return firstOfStrings(str(c, "call_id"), str(c, "id")) }

// partResults is the results among content parts.
func partResults(content *fastjson.Value) []turnResult {
	var out []turnResult
	for _, p := range parts(content) {
		if partOf(p) != resultPart {
			continue
		}
		r := turnResult{
			id:  firstOfStrings(str(p, "tool_use_id"), str(p, "tool_call_id"), str(p, "call_id")),
			out: text(firstOf(p, "content", "output")),
		}
		if p.GetBool("is_error") || str(p, "status") == "error" {
			r.fault = r.out
		}
		out = append(out, r)
	}
	return out
}
