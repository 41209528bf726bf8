package hooks

func gemini() Agent {
	return Agent{Name: "gemini", Title: "Gemini CLI", Command: "gemini", Programs: []string{"gemini-cli"}, Composer: Composer{Pause: enterPause}}
}
