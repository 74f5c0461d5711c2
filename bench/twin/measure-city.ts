import { telemetryMessage, toDownTopic } from '@isotherm/contract/mqtt'
import type { Broker } from '@isotherm/engines/broker/broker'
import { startFieldBroker } from '../../apps/twin/src/runtime/field-broker.testkit.ts'
import { startProcess, waitForLine } from '../server/processes.ts'
import type { CityResult, CitySettings } from './city-settings.ts'

const SECRET = 'bench'
/** Steps of one simulated minute, like a twin at time factor 120. Two simulated hours are measured. */
const settings = { secret: SECRET, stepS: 60, warmUpSteps: 20, steps: 120 } as const
const TIMEOUT_MS = 600_000

/** Like the server, the bench acknowledges stored reports: one acknowledgement for this many messages. */
const ACK_EVERY = 16

async function startAcknowledgingBroker(received: { readings: number }): Promise<Broker> {
  let broker: Broker | undefined
  const started = await startFieldBroker({
    secret: SECRET,
    receive: async ({ tenant, gateway, channel, body }) => {
      if (channel !== 'telemetry') return
      const { boot, seq, d } = telemetryMessage.parse(body)
      received.readings += d.length
      if (seq % ACK_EVERY !== 0) return
      const payload = Buffer.from(JSON.stringify({ boot, seq }))
      const topic = toDownTopic(tenant, gateway, 'ack')
      await broker?.publish({ topic, payload, qos: 0, retain: false })
    },
  })
  broker = started
  return started
}

/** Runs the city in a separate process, connected to a broker in this one. Returns its measurements. */
export async function measureCity(): Promise<CityResult> {
  const received = { readings: 0 }
  const broker = await startAcknowledgingBroker(received)
  const citySettings: CitySettings = { ...settings, url: `mqtt://127.0.0.1:${broker.port}` }
  const child = startProcess(new URL('./city.ts', import.meta.url), [JSON.stringify(citySettings)])
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const timer = setTimeout(() => child.kill(), TIMEOUT_MS)
  try {
    const result: CityResult = JSON.parse(await waitForLine(child, 'CITY '))
    if (received.readings < result.readings) {
      throw new Error(`The broker took ${received.readings} readings of ${result.readings}`)
    }
    return result
  } finally {
    clearTimeout(timer)
    if (child.connected) child.disconnect()
    await exited
    await broker.close()
  }
}
