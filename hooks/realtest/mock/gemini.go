package mock

// readGemini reads a request of the Gemini generateContent API.
func readGemini(a *Ask, m object) {
	for _, t := range m.list("tools") {
		a.offers(t.list("functionDeclarations"))
	}
	config := m.object("generationConfig")
	a.json = config["responseMimeType"] == "application/json" || config["responseJsonSchema"] != nil
	for _, content := range m.list("contents") {
		if content.text("role") != "user" {
			continue
		}
		for _, part := range content.list("parts") {
			if part["functionResponse"] != nil {
				a.Round++
			}
			a.said(part.text("text"))
		}
	}
}

// writeGemini writes the chunks of its stream, or one answer.
func writeGemini(p *reply, a *Ask, say answer) {
	chunk := func(part object, finish string) object {
		c := object{"index": 0, "content": object{"role": "model", "parts": []any{part}}}
		if finish != "" {
			c["finishReason"] = finish
		}
		return object{"candidates": []any{c}, "modelVersion": "mock", "responseId": a.id,
			"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120}}
	}
	if !a.stream {
		plain(p.w, chunk(object{"text": say.text}, "STOP"))
		return
	}
	if !p.words(say, func(w string) { p.event("", chunk(object{"text": w}, "")) }) {
		return
	}
	if c := say.call; c != nil {
		p.event("", chunk(object{"functionCall": object{"name": c.name, "args": c.args}}, ""))
	}
	p.event("", chunk(object{"text": ""}, "STOP"))
}
