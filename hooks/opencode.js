// deck's reporter: it tells deck what this agent does, and nothing outside of a
// pane of deck. Written by deck.
import { spawn } from "node:child_process"

const reporter = "REPORTER"
const silent = !process.env.DECK_SOCKET || !process.env.DECK_REPORT_TOKEN || process.env.DECK_INJECTED === "NOBODY"
const told = new Set([
  "session.created", "session.status", "session.idle", "session.error",
  "permission.asked", "permission.replied", "question.asked", "question.replied", "question.rejected",
])
const parents = new Map() // a sub-agent's session to the one that it works for
const failed = new Set() // sessions whose turn has ended with an error already
const answers = new Map() // the last text of a session's turn
const theirs = new Set() // messages of the person

let busy = false
const queue = []

// tell calls the reporter, one call after the other. What only says that work
// goes on is left out where there is more to say already.
function tell(event, fields, passing = false) {
  const payload = JSON.stringify({ ...fields, parentID: parents.get(fields.sessionID) })
  return new Promise((done) => {
    queue.push({ event, payload, passing, done })
    if (!busy) next()
  })
}

function next() {
  while (queue.length > 1 && queue[0].passing) queue.shift().done()
  const call = queue.shift()
  busy = call !== undefined
  if (!call) return
  let over = () => { over = () => {}; call.done(); next() }
  try {
    const p = spawn(reporter, ["hook", "opencode", call.event], { stdio: ["pipe", "ignore", "ignore"] })
    p.on("error", () => over())
    p.on("close", () => over())
    p.stdin.on("error", () => {})
    p.stdin.end(call.payload)
  } catch {
    over()
  }
}

function heed(event) {
  const at = event.properties ?? {}
  const id = at.sessionID ?? at.info?.id
  switch (event.type) {
    case "session.created":
      if (at.info?.parentID) parents.set(id, at.info.parentID)
      return tell(event.type, { sessionID: id })
    case "message.updated":
      if (at.info?.role === "user") theirs.add(at.info.id)
      return
    case "message.part.updated":
      if (at.part?.type === "text" && !theirs.has(at.part.messageID)) answers.set(at.part.sessionID, at.part.text)
      return
    case "session.error":
      failed.add(id)
      return tell(event.type, { ...at, sessionID: id })
    case "session.idle":
      if (failed.delete(id)) return
      return tell(event.type, { sessionID: id, response: (answers.get(id) ?? "").slice(0, 32768) })
    case "session.status":
      if (at.status?.type === "idle") return
  }
  if (told.has(event.type)) tell(event.type, { ...at, sessionID: id }, event.type === "session.status")
}

export const Deck = async () => silent ? {} : {
  event: async ({ event }) => void heed(event),
  "chat.message": async (input) => {
    failed.delete(input.sessionID)
    answers.delete(input.sessionID)
    tell("chat.message", { sessionID: input.sessionID })
  },
  "tool.execute.before": async (input) => void tell("tool.execute.before", { sessionID: input.sessionID, tool: input.tool }, true),
  "tool.execute.after": async (input) => void tell("tool.execute.after", { sessionID: input.sessionID, tool: input.tool, args: input.args }),
}
