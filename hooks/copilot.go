package hooks

func copilot() Agent {
	return Agent{Name: "copilot", Title: "Copilot CLI", Command: "copilot", Programs: []string{}, Composer: Composer{Pause: enterPause}}
}
