import { telemetryMessage, toDownTopic } from '@isotherm/contract/mqtt'
import type { Broker } from '@isotherm/engines/broker/broker'
import { startFieldBroker } from '../../apps/twin/src/runtime/field-broker.testkit.ts'
import { startProcess, waitForLine } from '../server/processes.ts'
import type { CityOrder, CityResult } from './city-order.ts'

const SECRET = 'bench'
/** Steps of one simulated minute, as at a time factor of 120; two simulated hours are measured. */
const order = { secret: SECRET, stepS: 60, warmUpSteps: 20, steps: 120 } as const
const PATIENCE_MS = 600_000

/** A server's part of the traffic: it accepts every report and regularly acknowledges to the gateway that it is stored. */
const ACK_EVERY = 16

async function startTaker(taken: { readings: number }): Promise<Broker> {
  let broker: Broker | undefined
  const started = await startFieldBroker({
    secret: SECRET,
    receive: async ({ tenant, gateway, channel, body }) => {
      if (channel !== 'telemetry') return
      const { boot, seq, d } = telemetryMessage.parse(body)
      taken.readings += d.length
      if (seq % ACK_EVERY !== 0) return
      const payload = Buffer.from(JSON.stringify({ boot, seq }))
      const topic = toDownTopic(tenant, gateway, 'ack')
      await broker?.publish({ topic, payload, qos: 0, retain: false })
    },
  })
  broker = started
  return started
}

/** Runs the city in a separate process against a broker in this one. Returns its measurements. */
export async function measureCity(): Promise<CityResult> {
  const taken = { readings: 0 }
  const broker = await startTaker(taken)
  const whole: CityOrder = { ...order, url: `mqtt://127.0.0.1:${broker.port}` }
  const child = startProcess(new URL('./city.ts', import.meta.url), [JSON.stringify(whole)])
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const timer = setTimeout(() => child.kill(), PATIENCE_MS)
  try {
    const result: CityResult = JSON.parse(await waitForLine(child, 'CITY '))
    if (taken.readings < result.readings) {
      throw new Error(`The broker took ${taken.readings} readings of ${result.readings}`)
    }
    return result
  } finally {
    clearTimeout(timer)
    if (child.connected) child.disconnect()
    await gone
    await broker.close()
  }
}
