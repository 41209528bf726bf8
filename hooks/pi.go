package hooks

func pi() Agent {
	return Agent{Name: "pi", Title: "pi", Command: "pi", Programs: []string{}, Composer: Composer{Pause: enterPause}}
}
