import type { LiveRequest } from '@isotherm/contract/live'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { quantileOfSorted } from '@isotherm/kernel/statistics'
import { createPushes } from './pushes.ts'
import type { WatchResult, WatchSettings } from './settings.ts'

/**
 * A separate process with the watchers: WebSocket clients that read every frame. Measuring starts when every client has
 * received its complete first answer. The last line of output is a WatchResult.
 */
const settings: WatchSettings = JSON.parse(process.argv[2] ?? '{}')

const latenciesMs: number[] = []
let frames = 0
let isMeasuring = false

function watch(index: number): Promise<WebSocket> {
  const nodes =
    index < settings.watchAll ? [ROOT_KEY] : [settings.areas[index % settings.areas.length] ?? ROOT_KEY]
  const pushes = createPushes()
  const socket = new WebSocket(settings.url)
  const send = (request: LiveRequest) => socket.send(JSON.stringify(request))
  return new Promise((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('the server refuses a watcher')))
    socket.addEventListener('close', ({ code, reason }) =>
      reject(new Error(`the server cut watcher ${index} off: ${code} ${reason}`)),
    )
    socket.addEventListener('open', () => {
      send({ type: 'hello', token: settings.tokens[index % settings.tokens.length] ?? '' })
      send({ type: 'subscribe', sub: 'valves', nodes, kinds: ['valve'] })
    })
    socket.addEventListener('message', ({ data }) => {
      const now = Date.now()
      const rows = pushes.read(String(data))
      if (pushes.isFirstAnswerComplete()) resolve(socket)
      if (!isMeasuring || rows.length === 0) return
      frames += 1
      for (const { ts } of rows) latenciesMs.push(now - ts)
    })
  })
}

const count = settings.watchAll + settings.watchArea
const sockets = await Promise.all(Array.from({ length: count }, (_, index) => watch(index)))
console.log('WATCHING')
isMeasuring = true
await new Promise((resolve) => setTimeout(resolve, settings.measuredMs))
isMeasuring = false
for (const socket of sockets) socket.close()

latenciesMs.sort((left, right) => left - right)
const result: WatchResult = {
  frames,
  rows: latenciesMs.length,
  p50Ms: quantileOfSorted(latenciesMs, 0.5),
  p95Ms: quantileOfSorted(latenciesMs, 0.95),
  p99Ms: quantileOfSorted(latenciesMs, 0.99),
}
console.log(`RESULT ${JSON.stringify(result)}`)
process.exit(0)
