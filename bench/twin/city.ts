import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { createField } from '../../apps/twin/src/field/field.ts'
import { openLink } from '../../apps/twin/src/runtime/gateway-link.mqtt.ts'
import { createNamed } from '../../apps/twin/src/scenarios/create-scenario.ts'
import type { CityResult, CitySettings } from './city-settings.ts'

/**
 * The twin of a city as a separate process: plant, devices and the connection of every concentrator. Messages carry plant
 * time, so devices send as many reports in a simulated hour as real devices in an hour.
 */
const settings: CitySettings = JSON.parse(process.argv[2] ?? '{}')
const START_MS = 1_763_683_200_000
const BOOT = 1
/** Highest number of unacknowledged messages. Above it, the plant waits for the broker. */
const MAX_IN_FLIGHT = 500

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
    url: settings.url,
    secret: settings.secret,
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
async function advance(steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    nowMs += settings.stepS * 1000
    field.step(nowMs, settings.stepS).forEach(({ replies, telemetry }, index) => {
      messages += telemetry.length
      for (const { d } of telemetry) readings += d.length
      links[index]?.sendReplies(replies)
      links[index]?.sendTelemetry(telemetry)
      links[index]?.replay()
    })
    await comeDownTo(MAX_IN_FLIGHT)
  }
  await comeDownTo(0)
}

while (!links.every((link) => link.isConnected())) await setImmediate()
await advance(settings.warmUpSteps)
readings = 0
messages = 0
const cpu = process.cpuUsage()
const started = performance.now()
await advance(settings.steps)
const { user, system } = process.cpuUsage(cpu)
const result: CityResult = {
  simulatedS: settings.steps * settings.stepS,
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
