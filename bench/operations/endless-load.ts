import { HOUR_MS } from '@isotherm/kernel/durations'
import mqtt from 'mqtt'
import type { LoadGateway } from '../ingest/load-settings.ts'

/** Unacknowledged messages of each client. */
const WINDOW = 50

/** Devices that send single readings as fast as the server acknowledges them, until they are stopped. */
export interface EndlessLoad {
  /** Messages that were acknowledged since the start. */
  countAcknowledged(): number
  /** Waits for the messages on the way and disconnects. Returns the number of acknowledged messages. */
  stop(): Promise<number>
}

/** `boot`: boot counter of all gateways; their readings are of the last hour. */
export async function startEndlessLoad(
  url: string,
  gateways: readonly LoadGateway[],
  boot: number,
): Promise<EndlessLoad> {
  const fromMs = Date.now() - HOUR_MS
  let acknowledged = 0
  let isOver = false
  const clients = await Promise.all(
    gateways.map(({ name, username, password }) =>
      mqtt.connectAsync(url, { clientId: name, username, password, clean: true, reconnectPeriod: 0 }),
    ),
  )
  const sending = clients.map((client, index) => {
    const { topic = '', children = [] } = gateways[index] ?? {}
    let next = 0
    const sendNext = async () => {
      while (!isOver) {
        const seq = next++
        const ts = fromMs + seq
        const d = [{ id: children[seq % children.length], ts, m: { 'heat.energy': seq / 100 } }]
        await client.publishAsync(topic, JSON.stringify({ v: 1, boot, seq, ts, d }), { qos: 1 })
        acknowledged += 1
      }
    }
    return Promise.all(Array.from({ length: WINDOW }, sendNext))
  })
  const all = Promise.all(sending)
  // A connection that breaks is reported by `stop`.
  all.catch(() => undefined)
  return {
    countAcknowledged: () => acknowledged,
    async stop() {
      isOver = true
      await all
      await Promise.all(clients.map((client) => client.endAsync()))
      return acknowledged
    },
  }
}
