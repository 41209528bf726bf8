package mock

import (
	"encoding/json"
	"strings"
)

// readResponses reads a request of the OpenAI Responses API.
func readResponses(a *Ask, m object) {
	a.offers(m.list("tools"))
	a.json = m.object("text").object("format")["schema"] != nil
	if text, ok := m["input"].(string); ok {
		a.said(text)
	}
	for _, item := range m.list("input") {
		switch {
		case strings.HasSuffix(item.text("type"), "_output"):
			a.Round++
		case item.text("role") == "user":
			a.said(prose(item["content"]))
		}
	}
}

// writeResponses writes the events of its stream.
func writeResponses(p *reply, a *Ask, say answer) {
	resp := object{"id": "resp_" + a.id, "object": "response", "created_at": 1, "model": a.model, "status": "in_progress", "output": []any{}}
	send := func(kind string, v object) {
		v["type"] = kind
		p.event(kind, v)
	}
	send("response.created", object{"response": resp})
	id, part := "msg_"+a.id, object{"type": "output_text", "text": say.text, "annotations": []any{}}
	msg := object{"type": "message", "id": id, "role": "assistant", "status": "in_progress", "content": []any{}}
	send("response.output_item.added", object{"output_index": 0, "item": msg})
	send("response.content_part.added", object{"item_id": id, "output_index": 0, "content_index": 0, "part": object{"type": "output_text", "text": ""}})
	if !p.words(say, func(w string) {
		send("response.output_text.delta", object{"item_id": id, "output_index": 0, "content_index": 0, "delta": w})
	}) {
		return
	}
	msg = object{"type": "message", "id": id, "role": "assistant", "status": "completed", "content": []any{part}}
	send("response.output_item.done", object{"output_index": 0, "item": msg})
	out := []any{msg}
	if c := say.call; c != nil {
		item := object{"type": "function_call", "id": "fc_" + a.id, "call_id": "call_" + a.id, "name": c.name, "status": "completed"}
		if c.custom {
			item["type"], item["input"] = "custom_tool_call", c.text
		} else {
			args, _ := json.Marshal(c.args)
			item["arguments"] = string(args)
		}
		send("response.output_item.added", object{"output_index": 1, "item": item})
		send("response.output_item.done", object{"output_index": 1, "item": item})
		out = append(out, item)
	}
	resp["status"], resp["output"] = "completed", out
	resp["usage"] = object{"input_tokens": 100, "output_tokens": 20, "total_tokens": 120, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0}}
	send("response.completed", object{"response": resp})
}

// readChat reads a request of the OpenAI Chat Completions API.
func readChat(a *Ask, m object) {
	a.offers(m.list("tools"))
	a.json = m["response_format"] != nil
	for _, msg := range m.list("messages") {
		switch msg.text("role") {
		case "tool":
			a.Round++
		case "user":
			a.said(prose(msg["content"]))
		}
	}
}

// writeChat writes the chunks of its stream, or one completion.
func writeChat(p *reply, a *Ask, say answer) {
	finish, usage := "stop", object{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
	if say.call != nil {
		finish = "tool_calls"
	}
	if !a.stream {
		plain(p.w, object{"id": "chatcmpl-" + a.id, "object": "chat.completion", "created": 1, "model": a.model, "usage": usage,
			"choices": []any{object{"index": 0, "message": object{"role": "assistant", "content": say.text}, "finish_reason": finish}}})
		return
	}
	chunk := func(delta object, finish any) object {
		return object{"id": "chatcmpl-" + a.id, "object": "chat.completion.chunk", "created": 1, "model": a.model,
			"choices": []any{object{"index": 0, "delta": delta, "finish_reason": finish}}}
	}
	p.event("", chunk(object{"role": "assistant", "content": ""}, nil))
	if !p.words(say, func(w string) { p.event("", chunk(object{"content": w}, nil)) }) {
		return
	}
	if c := say.call; c != nil {
		args, _ := json.Marshal(c.args)
		p.event("", chunk(object{"tool_calls": []any{object{"index": 0, "id": "call_" + a.id, "type": "function",
			"function": object{"name": c.name, "arguments": string(args)}}}}, nil))
	}
	last := chunk(object{}, finish)
	last["usage"] = usage
	p.event("", last)
	_, _ = p.w.Write([]byte("data: [DONE]\n\n"))
}
