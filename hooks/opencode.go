package hooks

func opencode() Agent {
	return Agent{Name: "opencode", Title: "opencode", Command: "opencode", Programs: []string{}, Composer: Composer{Pause: enterPause}}
}
