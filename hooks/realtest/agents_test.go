package realtest

import "regexp"

// dialog is what an agent shows while it waits for a person.
type dialog struct {
	see    *regexp.Regexp
	keys   []string // what answers it, a press each
	reason string   // of needs-input; empty where that was told already
}

// program is an agent as its maker ships it, and how to get along with it.
type program struct {
	name, pkg, version string
	args               []string
	env                []string          // "$URL" stands for the model service's address
	files              map[string]string // below HOME; the same, and "$DIR" for the project
	starts             []dialog          // it may ask these before the first prompt
	ready              *regexp.Regexp    // its input line
	approval, edit     dialog
	refuse             []string // keys that refuse an approval
	question           []dialog
	stop               []string          // keys that interrupt it
	refused            bool              // its model hears of a refusal, and its turn goes on
	erase              []string          // keys that throw away the prompt that it gives back then
	waits              *regexp.Regexp    // what it shows while its turn waits for commands in the background; nil: it does not
	quit, fresh        string            // its commands to leave and to begin anew
	others             map[string]string // files of another tool's hooks, "$LOG" being what they write to
	lacks              map[string]string // scenario → why the program cannot do it
}

// The keys that dialogs are answered with.
const (
	enter = "\r"
	esc   = "\x1b"
	down  = "\x1b[B"
)

// What some agents have in their settings, but for the last brace.
const (
	geminiSettings = `{"security":{"auth":{"selectedType":"gemini-api-key"}},"general":{"enableAutoUpdate":false},"privacy":{"usageStatisticsEnabled":false}`
	qwenSettings   = `{"security":{"auth":{"selectedType":"openai"}},"general":{"enableAutoUpdate":false},"privacy":{"usageStatisticsEnabled":false}`
	opencodeConfig = `{"$schema":"https://opencode.ai/config.json","model":"mock/mock-1","autoupdate":false,"share":"disabled",` +
		`"permission":{"bash":"ask","edit":"ask"},"provider":{"mock":{"npm":"@ai-sdk/openai-compatible","name":"Mock","options":{"baseURL":"$URL/v1","apiKey":"mock"},` +
		`"models":{"mock-1":{"name":"Mock 1"}}}}`
)

var re = regexp.MustCompile

// programs are the agents, in the order of the table.
var programs = []program{
	{
		name: "claude", pkg: "@anthropic-ai/claude-code", version: "2.1.332", args: []string{"--permission-mode", "manual"},
		env: []string{"ANTHROPIC_BASE_URL=$URL", "ANTHROPIC_API_KEY=sk-ant-mock-0123456789abcdefghij", "DISABLE_AUTOUPDATER=1",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"},
		files:  map[string]string{".claude.json": `{"hasCompletedOnboarding":true,"theme":"dark","customApiKeyResponses":{"approved":["0123456789abcdefghij"],"rejected":[]}}`},
		starts: []dialog{{re(`❯ No, exit`), []string{down}, "approval"}, {re(`❯ Yes, I trust this folder`), []string{enter}, ""}},
		ready:  re(`(?m)^.*─{9}\n.*❯.*\n.*─{9}`), approval: dialog{re(`Do you want to proceed\?`), []string{enter}, "approval"},
		edit: dialog{re(`Do you want to make this edit`), []string{enter}, "approval"}, refuse: []string{esc},
		question: []dialog{{re(`Enter to select`), []string{enter}, "question"}}, stop: []string{esc}, quit: "/exit", fresh: "/clear",
		others: map[string]string{".claude/settings.json": `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"cat >> $LOG"}]}],` +
			`"PermissionRequest":[{"matcher":"","hooks":[{"type":"command","command":"cat >> $LOG"}]}],"Stop":[{"hooks":[{"type":"command","command":"cat >> $LOG"}]}]}}`},
	},
	{
		name: "codex", pkg: "@openai/codex", version: "0.171.0", args: []string{"--enable", "default_mode_request_user_input"},
		env: []string{"MOCK_KEY=mock"},
		files: map[string]string{".codex/config.toml": "model = \"gpt-5.5\"\nmodel_provider = \"mock\"\napproval_policy = \"on-request\"\nsandbox_mode = \"read-only\"\n" +
			"check_for_update_on_startup = false\n\n[model_providers.mock]\nname = \"mock\"\nbase_url = \"$URL/v1\"\nwire_api = \"responses\"\nenv_key = \"MOCK_KEY\"\n"},
		starts: []dialog{{re(`Trust this folder\?`), []string{enter}, "approval"}, {re(`Use existing model`), []string{"2"}, "question"},
			{re(`(?s)Hooks need review.*› 1. Review hooks`), []string{down}, "approval"}, {re(`(?s)Hooks need review.*› 2. Trust all`), []string{enter}, ""}},
		ready: re(`(?m)^.*› .*\n(.*\n){1,3}.*(gpt-5.5|for shortcuts|for agents)`), approval: dialog{re(`(?s)\d\. Yes.*\d\. No.*enter to confirm`), []string{enter}, "approval"},
		edit: dialog{re(`(?s)\d\. Yes.*\d\. No.*enter to confirm`), []string{enter}, "approval"}, refuse: []string{esc},
		question: []dialog{{re(`enter to submit`), []string{enter}, "question"}}, stop: []string{esc}, quit: "/quit", fresh: "/new",
		others: map[string]string{".codex/hooks.json": `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"cat >> $LOG"}]}],` +
			`"Stop":[{"hooks":[{"type":"command","command":"cat >> $LOG"}]}]}}`},
	},
	{
		name: "gemini", pkg: "@google/gemini-cli", version: "0.61.0", env: []string{"GOOGLE_GEMINI_BASE_URL=$URL", "GEMINI_API_KEY=mock"},
		files:  map[string]string{".gemini/settings.json": geminiSettings + "}"},
		starts: []dialog{{re(`Do you trust the files in this folder\?`), []string{enter}, "approval"}},
		ready:  re(`Type your message`), approval: dialog{re(`Allow execution of`), []string{enter}, "approval"},
		edit: dialog{re(`Apply this change\?`), []string{enter}, "approval"}, refuse: []string{esc},
		question: []dialog{{re(`Which colour`), []string{enter}, "question"}},
		stop:     []string{esc}, quit: "/quit", fresh: "/clear",
		others: map[string]string{".gemini/settings.json": geminiSettings + `,"hooks":{"BeforeAgent":[{"hooks":[{"type":"command","command":"cat >> $LOG"}]}]}}`},
	},
	{
		name: "opencode", pkg: "opencode-ai", version: "1.18.33",
		files: map[string]string{".config/opencode/opencode.json": opencodeConfig + "}"},
		ready: re(`ctrl\+p`), approval: dialog{re(`Permission required`), []string{enter}, "approval"}, edit: dialog{re(`Permission required`), []string{enter}, "approval"},
		refuse: []string{esc}, question: []dialog{{re(`esc dismiss`), []string{enter}, "question"}}, stop: []string{esc, esc}, quit: "/exit", fresh: "/new",
		others: map[string]string{
			".config/opencode/opencode.json": opencodeConfig + `,"plugin":["file://$DIR/other.js"]}`,
			"project/other.js": "import { appendFileSync } from \"node:fs\"\n" +
				"export const Other = async () => ({ \"chat.message\": async () => appendFileSync(\"$LOG\", \"told\\n\") })\n",
		},
	},
	{
		name: "qwen", pkg: "@qwen-code/qwen-code", version: "0.24.4", args: []string{"--approval-mode", "default"},
		env:   []string{"OPENAI_BASE_URL=$URL/v1", "OPENAI_API_KEY=mock", "OPENAI_MODEL=mock-1"},
		files: map[string]string{".qwen/settings.json": qwenSettings + "}"},
		ready: re(`Type your message`), approval: dialog{re(`Yes, allow once`), []string{enter}, "approval"}, edit: dialog{re(`Yes, allow once`), []string{enter}, "approval"},
		refuse: []string{esc}, question: []dialog{{re(`Which colour`), []string{enter}, "question"}}, stop: []string{esc}, erase: []string{"\x15"}, quit: "/quit", fresh: "/clear",
		lacks: map[string]string{"stopped server": "draws more than a terminal that nobody reads holds"},
		others: map[string]string{".qwen/settings.json": qwenSettings + `,"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"cat >> $LOG"}]}],` +
			`"PermissionRequest":[{"hooks":[{"type":"command","command":"cat >> $LOG"}]}]}}`},
	},
	{
		name: "pi", pkg: "@earendil-works/pi-coding-agent", version: "1.6.0", args: []string{"--model", "mock/mock-1", "-e", "$DIR/gate.ts"},
		env: []string{"PI_OFFLINE=1"},
		files: map[string]string{
			".pi/agent/models.json": `{"providers":{"mock":{"baseUrl":"$URL/v1","api":"openai-completions","apiKey":"mock","models":[{"id":"mock-1","name":"Mock 1","contextWindow":100000,"maxTokens":4000}]}}}`,
			"project/gate.ts": "export default function (pi) {\n  pi.on(\"tool_call\", async (event, ctx) => {\n    if (event.toolName !== \"bash\" && event.toolName !== \"edit\") return;\n" +
				"    const ok = await ctx.ui.confirm(\"Allow \" + event.toolName + \"?\", \"It wants to.\");\n    if (!ok) return { block: true, reason: \"refused\" };\n  });\n}\n",
		},
		ready: re(`mock-1`), approval: dialog{re(`Allow bash\?`), []string{enter}, "approval"}, edit: dialog{re(`Allow edit\?`), []string{enter}, "approval"},
		refuse: []string{esc}, stop: []string{esc}, quit: "/quit", fresh: "/new",
		refused: true, lacks: map[string]string{"question": "has no tool that asks"},
		others: map[string]string{".pi/agent/extensions/other.ts": "import { appendFileSync } from \"node:fs\";\n" +
			"export default function (pi) {\n  pi.on(\"agent_start\", () => { appendFileSync(\"$LOG\", \"told\\n\"); });\n}\n"},
	},
	{
		name: "copilot", pkg: "@github/copilot", version: "1.0.102",
		env:    []string{"COPILOT_PROVIDER_BASE_URL=$URL/v1", "COPILOT_MODEL=mock-1", "COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false"},
		starts: []dialog{{re(`Confirm folder trust`), []string{enter}, "approval"}},
		ready:  re(`/ commands`), approval: dialog{re(`(?s)Do you want to run.*enter to select`), []string{enter}, "approval"},
		edit: dialog{re(`(?s)Do you want to edit.*enter to select`), []string{enter}, "approval"}, refuse: []string{esc},
		question: []dialog{{re(`Which colour`), []string{enter}, "question"}}, stop: []string{esc, esc}, quit: "/exit", fresh: "/clear",
		waits:  re(`Waiting for background shells .*interrupt`),
		others: map[string]string{".copilot/hooks/other.json": `{"version":1,"hooks":{"userPromptSubmitted":[{"type":"command","bash":"cat >> $LOG","timeoutSec":5}]}}`},
	},
}
