package hooks

func codex() Agent {
	return Agent{Name: "codex", Title: "Codex", Command: "codex", Programs: []string{}, Composer: Composer{Pause: enterPause}}
}
