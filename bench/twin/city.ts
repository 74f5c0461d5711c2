import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { createField } from '../../apps/twin/src/runtime/field.ts'
import { openLink } from '../../apps/twin/src/runtime/gateway-link.mqtt.ts'
import { createNamed } from '../../apps/twin/src/scenarios/create-scenario.ts'
import type { CityOrder, CityResult } from './city-order.ts'

/**
 * A city's twin as a separate process: plant, devices and the connection of every concentrator. Wire time equals plant
 * time, so that devices report as often in a simulated hour as real devices in an hour.
 */
const order: CityOrder = JSON.parse(process.argv[2] ?? '{}')
const START_MS = 1_763_683_200_000
const BOOT = 1
/** Most unacknowledged messages; beyond that the plant waits for the broker. */
const MOST_IN_FLIGHT = 500

const scenario = createNamed('city')
const field = createField(scenario, {
  boot: BOOT,
  nowMs: START_MS,
  pace: { minMoveS: 0 },
  warmUp: 'cold',
})
let nowMs = START_MS
const links = field.gateways.map((gateway) =>
  openLink({
    url: order.url,
    secret: order.secret,
    tenant: scenario.tenant,
    gateway: gateway.serial,
    boot: () => BOOT,
    timeFactor: () => 1,
    sleeps: false,
    bufferMessages: gateway.firmware.bufferMessages,
    now: () => nowMs,
    stamp: () => nowMs,
    onCommand: (message) => field.receive(gateway, message, nowMs),
    onFrames: (frames) => field.passFrames(gateway, frames, nowMs),
    onTime: () => undefined,
    onProblem: (text) => console.error(text),
  }),
)
const inFlight = (): number => links.reduce((sum, link) => sum + link.inFlight(), 0)

async function comeDownTo(messages: number): Promise<void> {
  while (inFlight() > messages) await setImmediate()
}

let readings = 0
let messages = 0
async function live(steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    nowMs += order.stepS * 1000
    field.step(nowMs, order.stepS).forEach(({ replies, telemetry }, index) => {
      messages += telemetry.length
      for (const { d } of telemetry) readings += d.length
      links[index]?.sendReplies(replies)
      links[index]?.sendTelemetry(telemetry)
      links[index]?.replay()
    })
    await comeDownTo(MOST_IN_FLIGHT)
  }
  await comeDownTo(0)
}

while (!links.every((link) => link.isConnected())) await setImmediate()
await live(order.warmUpSteps)
readings = 0
messages = 0
const cpu = process.cpuUsage()
const started = performance.now()
await live(order.steps)
const { user, system } = process.cpuUsage(cpu)
const result: CityResult = {
  simulatedS: order.steps * order.stepS,
  cpuS: (user + system) / 1e6,
  wallS: (performance.now() - started) / 1000,
  rssMb: process.resourceUsage().maxRSS / 1024,
  households: field.plant.stations.reduce((sum, { households }) => sum + households.count, 0),
  devices: field.gateways.reduce((sum, { children }) => sum + children.length, 0),
  readings,
  messages,
}
console.log(`CITY ${JSON.stringify(result)}`)
await once(process, 'disconnect')
process.exit(0)
