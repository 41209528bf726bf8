package hooks

func qwen() Agent {
	return Agent{Name: "qwen", Title: "Qwen Code", Command: "qwen", Programs: []string{"qwen-code"}, Composer: Composer{Pause: enterPause}}
}
