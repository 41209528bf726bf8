package hooks

func claude() Agent {
	return Agent{Name: "claude", Title: "Claude Code", Command: "claude", Programs: []string{"claude-code"}, Composer: Composer{Pause: enterPause}}
}
