// deck's reporter: it tells deck what this agent does, and nothing outside of a
// pane of deck. Written by deck.
import { spawn } from "node:child_process"

const reporter = "REPORTER"

let busy = false
const queue: any[] = []

// tell calls the reporter, one call after the other, and returns what that prints.
// What only says that work goes on is left out where there is more to say already.
function tell(event: string, fields: object, passing = false) {
  const payload = JSON.stringify(fields)
  return new Promise<string>((done) => {
    queue.push({ event, payload, passing, done })
    if (!busy) next()
  })
}

function next() {
  while (queue.length > 1 && queue[0].passing) queue.shift()!.done("")
  const call = queue.shift()
  busy = call !== undefined
  if (!call) return
  let printed = ""
  let over = () => { over = () => {}; call.done(printed); next() }
  try {
    const p = spawn(reporter, ["hook", "pi", call.event], { stdio: ["pipe", "pipe", "ignore"] })
    p.stdout.setEncoding("utf8").on("data", (text: string) => { printed += text })
    p.on("error", () => over())
    p.on("close", () => over())
    p.stdin.on("error", () => {})
    p.stdin.end(call.payload)
  } catch {
    over()
  }
}

export default function (pi: any) {
  if (!process.env.DECK_SOCKET || !process.env.DECK_REPORT_TOKEN || process.env.DECK_INJECTED === "NOBODY") return
  let response = ""
  let error = ""
  const of = (ctx: any) => ({
    session: ctx.sessionManager?.getSessionId?.(),
    transcript_path: ctx.sessionManager?.getSessionFile?.(),
  })
  const on = (event: string, fields: (e: any, ctx: any) => object, passing = (_: any) => false) =>
    pi.on(event, (e: any, ctx: any) => {
      const told = tell(event, { ...of(ctx), ...fields(e, ctx) }, passing(e)).then((text) => {
        if (text) pi.sendMessage({ customType: "deck", content: text, display: true }, { deliverAs: "steer", triggerTurn: true })
      }).catch(() => {})
      if (event === "tool_result") return told // what waits is to be read with the result
    })

  on("session_start", (e) => ({ reason: e.reason }))
  on("before_agent_start", () => ({}))
  on("agent_start", () => ({}), () => true)
  on("tool_call", (e) => ({ toolName: e.toolName }), () => true)
  on("tool_result", (e) => ({ toolName: e.toolName, input: e.input, isError: e.isError }), (e) => e.toolName !== "edit" && e.toolName !== "write")
  on("ui_prompt_start", (e) => ({ kind: e.kind, title: e.title }))
  on("ui_prompt_end", () => ({}), () => true)
  pi.on("agent_end", (e: any) => {
    const said = (e.messages ?? []).filter((m: any) => m.role === "assistant").at(-1)
    const parts = Array.isArray(said?.content) ? said.content : []
    response = parts.filter((c: any) => c.type === "text").map((c: any) => c.text).join("\n").slice(0, 32768)
    error = said?.stopReason === "error" ? String(said.errorMessage ?? "error") : ""
  })
  on("agent_settled", (e, ctx) => ({ aborted: e.aborted, response, error, context: Math.round(ctx.getContextUsage?.()?.percent ?? 0) }))
  pi.on("session_shutdown", async (e: any, ctx: any) => { await tell("session_shutdown", { ...of(ctx), reason: e.reason }) })
}
