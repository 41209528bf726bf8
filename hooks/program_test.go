package hooks

import (
	"strings"
	"testing"
)

func TestAgentsAreRecognisedByProgramAndByScript(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ comm, argv, want string }{
		{"claude", "claude --resume", "claude"},
		{"node", "claude", "claude"},
		{"node", "node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js", "claude"},
		{"node", "node --no-warnings=DEP0040 /usr/bin/gemini", "gemini"},
		{"node", "/usr/bin/node -r ./hook.js /opt/qwen-code/dist/index.js", "qwen"},
		{"node-MainThread", "node /home/x/.npm/bin/codex", "codex"},
		{"bun", "bun run /x/opencode/src/index.ts", "opencode"},
		{"python3.12", "python3.12 -m aider", "aider"},
		{"python3", "/usr/bin/python3 /usr/local/bin/aider --model x", "aider"},
		{"cursor-agent", "cursor-agent", "cursor-agent"},
		{"kiro-cli", "kiro-cli chat", "kiro"},
		{"deck", "/usr/bin/deck demo-agent screen", "demo"},
		{"deck", "deck attach demo-agent", ""},
		{"demo", "./demo", ""},
		{"bash", "-bash", ""},
		{"vim", "vim claude", ""},
		{"bash", "bash -c claude", ""},
		{"node", "node /srv/app/server.js claude", ""},
		{"node", "node -e require('codex')", ""},
		{"python3", "python3 -c import_aider", ""},
		{"node", "", ""},
		{"", "", ""},
		{"pip", "pip install pi", ""},
	} {
		if got := Recognize(c.comm, strings.Fields(c.argv)); got != c.want {
			t.Errorf("%s [%s]: got %q, want %q", c.comm, c.argv, got, c.want)
		}
	}
}

func FuzzRecognizeTakesAnything(f *testing.F) {
	f.Add("node", "node\x00-r\x00x")
	f.Fuzz(func(_ *testing.T, comm, argv string) { Recognize(comm, strings.Split(argv, "\x00")) })
}
