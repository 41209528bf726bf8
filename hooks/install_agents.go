package hooks

import (
	"bytes"
	"path/filepath"
	"strconv"
)

// installs says, per agent, which settings files hold its hooks. The first is
// the one that install writes to; from the others deck's hooks are only removed.
var installs = map[string]func(a Agent, s Site, folder string) []place{
	"claude":   claudePlaces,
	"codex":    codexPlaces,
	"copilot":  copilotPlaces,
	"gemini":   geminiPlaces,
	"opencode": opencodePlaces,
	"pi":       piPlaces,
	"qwen":     qwenPlaces,
}

var installNotes = map[string]string{
	"codex": `it asks once, at its next start, "Hooks need review"; until they are trusted it does not run them`,
}

func (a Agent) places(s Site) []place {
	return installs[a.Name](a, s, a.Home.Path(s.Home, s.Getenv))
}

// hookSeconds is how long an agent waits for a hook at most. A hook answers in a
// fraction of that or not at all.
const hookSeconds = 5

// entries makes the entries of all events of an agent.
func (a Agent) entries(s Site, fields func(event, command string) []field) []entry {
	list := make([]entry, len(a.Events))
	for i, e := range a.Events {
		list[i] = entry{e, fields(e, hookCommand(s.Reporter, a.Name, e))}
	}
	return list
}

func claudePlaces(a Agent, s Site, folder string) []place {
	return []place{{filepath.Join(folder, "settings.json"), jsonSettings{agent: a.Name, command: "command",
		entries: a.entries(s, claudeFields)}}}
}

// claudeFields is claudeEntry in the order in which people write it.
func claudeFields(event, command string) []field {
	var fields []field
	values := claudeEntry(event, command)
	for _, k := range []string{"type", "command", "timeout", "async"} {
		if v, ok := values[k]; ok {
			fields = append(fields, field{k, v})
		}
	}
	return fields
}

func qwenPlaces(a Agent, s Site, folder string) []place {
	return []place{{filepath.Join(folder, "settings.json"), jsonSettings{agent: a.Name, command: "command",
		entries: a.entries(s, func(_, command string) []field {
			return []field{{"name", "deck"}, {"type", "command"}, {"command", command}, {"timeout", hookSeconds}}
		})}}}
}

// geminiPlaces: the name is what the agent shows while the hook runs; its time is
// in milliseconds.
func geminiPlaces(a Agent, s Site, folder string) []place {
	return []place{{filepath.Join(folder, "settings.json"), jsonSettings{agent: a.Name, command: "command",
		entries: a.entries(s, func(_, command string) []field {
			return []field{{"name", "deck"}, {"type", "command"}, {"command", command}, {"timeout", hookSeconds * 1000}}
		})}}}
}

// codexPlaces: there are two files for hooks, and the agent complains if both
// have some. Its trust in hooks goes by their position in a file, so that they
// come after all others there.
func codexPlaces(a Agent, s Site, folder string) []place {
	entries := a.entries(s, func(event, command string) []field {
		return []field{{"type", "command"}, {"command", command}, {"timeout", codexTimeout(event)}}
	})
	own := place{filepath.Join(folder, "hooks.json"), jsonSettings{agent: a.Name, command: "command", strict: true, entries: entries}}
	config := place{filepath.Join(folder, "config.toml"), tomlSettings{agent: a.Name, entries: entries}}
	if file, err := readSettings(config.path); err == nil && tomlHasHooks(file) {
		if file, err := readSettings(own.path); err == nil && file == nil {
			return []place{config, own}
		}
	}
	return []place{own, config}
}

// copilotPlaces: the agent reads every file in a folder of hooks.
func copilotPlaces(a Agent, s Site, folder string) []place {
	return []place{{filepath.Join(folder, "hooks", "deck.json"), jsonSettings{agent: a.Name, command: "bash", flat: true, strict: true,
		base: "{\n  \"version\": 1\n}\n",
		entries: a.entries(s, func(_, command string) []field {
			return []field{{"type", "command"}, {"bash", command}, {"timeoutSec", hookSeconds}}
		})}}}
}

func opencodePlaces(a Agent, s Site, folder string) []place {
	return []place{{filepath.Join(folder, "plugins", "deck.js"), ownFile{a.Name, a.unlessInjected(opencodePlugin(s.Reporter))}}}
}

func piPlaces(a Agent, s Site, folder string) []place {
	return []place{{filepath.Join(folder, "extensions", "deck.ts"), ownFile{a.Name, a.unlessInjected(piExtension(s.Reporter))}}}
}

// unlessInjected makes a plugin keep silent where a start has brought its own.
func (a Agent) unlessInjected(source []byte) []byte {
	return bytes.Replace(source, []byte(`"NOBODY"`), []byte(strconv.Quote(a.Name)), 1)
}
