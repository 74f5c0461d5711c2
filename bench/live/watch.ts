import type { LiveRequest } from '@isotherm/contract/live'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { quantileOfSorted } from '@isotherm/kernel/statistics'
import type { WatchOrder, WatchResult } from './order.ts'
import { createPushes } from './pushes.ts'

/**
 * The watchers as a separate process: sockets that read every frame. They measure after each has its complete first answer.
 * Prints a WatchResult as the last line.
 */
const order: WatchOrder = JSON.parse(process.argv[2] ?? '{}')

const latenciesMs: number[] = []
let frames = 0
let isMeasuring = false

function watch(index: number): Promise<WebSocket> {
  const nodes = index < order.watchAll ? [ROOT_KEY] : [order.areas[index % order.areas.length] ?? ROOT_KEY]
  const pushes = createPushes()
  const socket = new WebSocket(order.url)
  const say = (request: LiveRequest) => socket.send(JSON.stringify(request))
  return new Promise((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('the server refuses a watcher')))
    socket.addEventListener('close', () => reject(new Error('the server cut a watcher off')))
    socket.addEventListener('open', () => {
      say({ type: 'hello', token: order.tokens[index % order.tokens.length] ?? '' })
      say({ type: 'subscribe', sub: 'valves', nodes, kinds: ['valve'] })
    })
    socket.addEventListener('message', ({ data }) => {
      const now = Date.now()
      const rows = pushes.read(String(data))
      if (pushes.isFirstWhole()) resolve(socket)
      if (!isMeasuring || rows.length === 0) return
      frames += 1
      for (const { ts } of rows) latenciesMs.push(now - ts)
    })
  })
}

const count = order.watchAll + order.watchArea
const sockets = await Promise.all(Array.from({ length: count }, (_, index) => watch(index)))
console.log('WATCHING')
isMeasuring = true
await new Promise((resolve) => setTimeout(resolve, order.measuredMs))
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
