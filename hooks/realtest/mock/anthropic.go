package mock

import "encoding/json"

// readMessages reads a request of the Anthropic Messages API.
func readMessages(a *Ask, m object) {
	a.offers(m.list("tools"))
	a.json = m["output_config"] != nil || m["output_format"] != nil
	for _, msg := range m.list("messages") {
		if msg.text("role") != "user" {
			continue
		}
		a.said(prose(msg["content"]))
		for _, part := range msg.list("content") {
			if part.text("type") == "tool_result" {
				a.Round++
			}
		}
	}
}

// writeMessages writes events of its stream, or one message.
func writeMessages(p *reply, a *Ask, say answer) {
	stop := "end_turn"
	if say.call != nil {
		stop = "tool_use"
	}
	usage := object{"input_tokens": 100, "output_tokens": 20}
	msg := object{"id": "msg_" + a.id, "type": "message", "role": "assistant", "model": a.model, "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage}
	if !a.stream {
		msg["content"], msg["stop_reason"] = []any{object{"type": "text", "text": say.text}}, stop
		plain(p.w, msg)
		return
	}
	p.event("message_start", object{"type": "message_start", "message": msg})
	block := func(i int, start object, fill func(delta func(object)) bool) bool {
		p.event("content_block_start", object{"type": "content_block_start", "index": i, "content_block": start})
		whole := fill(func(d object) {
			p.event("content_block_delta", object{"type": "content_block_delta", "index": i, "delta": d})
		})
		p.event("content_block_stop", object{"type": "content_block_stop", "index": i})
		return whole
	}
	if !block(0, object{"type": "text", "text": ""}, func(delta func(object)) bool {
		return p.words(say, func(w string) { delta(object{"type": "text_delta", "text": w}) })
	}) {
		return
	}
	if c := say.call; c != nil {
		block(1, object{"type": "tool_use", "id": "toolu_" + a.id, "name": c.name, "input": object{}}, func(delta func(object)) bool {
			args, _ := json.Marshal(c.args)
			delta(object{"type": "input_json_delta", "partial_json": string(args)})
			return true
		})
	}
	p.event("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": usage})
	p.event("message_stop", object{"type": "message_stop"})
}
