import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { birthMessage, telemetryMessage } from '@isotherm/contract/mqtt'
import type { Broker } from '@isotherm/engines/broker/broker'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { unitFlow } from '../plant/station-plant.ts'
import { demoFirmware } from '../scenarios/firmware.ts'
import { createSmall, small } from '../scenarios/small-scenario.testkit.ts'
import { type ReceivedMessage, startFieldBroker } from './field-broker.testkit.ts'
import { readTruth } from './truth.ts'
import { startTwin, type Twin } from './twin.ts'

const SECRET = 'a secret'
const VALVE = small.valve
const FIRST = small.concentrator
const WAIT = { timeout: 30_000 }

const scenario = createSmall({
  ringMains: true,
  firmware: {
    ...demoFirmware,
    periodS: { valve: 1, 'heat-meter': 1, 'room-sensor': 2, station: 1, concentrator: 2, sensor: 2 },
  },
})

const received: ReceivedMessage[] = []
const folder = mkdtempSync(join(tmpdir(), 'isotherm-twin-'))
let broker: Broker
let twin: Twin

const start = (): Twin =>
  startTwin(
    scenario,
    {
      mqttUrl: `mqtt://127.0.0.1:${broker.port}`,
      mqttSecret: SECRET,
      dataFolder: folder,
      timeFactor: 60,
      scenario: scenario.name,
      language: 'zh',
      truthPort: undefined,
      seasonDays: 0,
    },
    Date.now,
  )

beforeAll(async () => {
  broker = await startFieldBroker({
    secret: SECRET,
    receive: (message) => {
      received.push(message)
    },
  })
  twin = start()
  await twin.ready
})
afterAll(async () => {
  await twin.stop()
  await broker.close()
  rmSync(folder, { recursive: true })
})

const birthsOf = (gateway: string) =>
  received.flatMap(({ gateway: of, channel, body }) =>
    of === gateway && channel === 'birth' ? [birthMessage.parse(body)] : [],
  )

/** Last value of a metric of a device on a channel. */
function shownBy(serial: string, metric: string, channel = 'telemetry'): number | undefined {
  const values = received.flatMap((message) =>
    message.channel === channel
      ? telemetryMessage
          .parse(message.body)
          .d.flatMap(({ id, m }) => (id === serial ? (m[metric] ?? []) : []))
      : [],
  )
  return values.at(-1)
}

it('reports, runs a command, and reports its effect over MQTT', async () => {
  await vi.waitFor(() => expect(shownBy(VALVE, 'heat.flow')).toBeGreaterThan(0), WAIT)
  const now = Date.now()
  const order = { v: 1, id: 'c1', dev: VALVE, do: 'valve.set', args: { opening: 10 } }
  const payload = Buffer.from(JSON.stringify({ ...order, iat: now, exp: now + MINUTE_MS, rev: 1 }))
  await broker.publish({ topic: `hx/v1/heyuan/${FIRST}/down/cmd`, payload, qos: 1, retain: false })
  await vi.waitFor(() => {
    const replies = received.filter(({ channel }) => channel === 'reply').map(({ body }) => body)
    expect(replies).toMatchObject([{ stage: 'accepted' }, { stage: 'running' }, { stage: 'done', code: 0 }])
    expect(shownBy(VALVE, 'valve.opening')).toBe(10)
  }, WAIT)
  const [station] = twin.field.plant.stations
  if (station === undefined) throw new Error('no station')
  const trueM3H = (unitFlow(station, 0) * 3600) / 988
  await vi.waitFor(() => expect(shownBy(VALVE, 'heat.flow') ?? 0).toBeCloseTo(trueM3H, 1), WAIT)
})

it('stops the plant while paused, continues to report, and advances by the given steps', async () => {
  const { control, field } = twin
  control.pause()
  const before = field.plant.simTimeS
  const count = received.length
  await vi.waitFor(() => expect(received.length).toBeGreaterThan(count + 4), WAIT)
  expect(field.plant.simTimeS).toBe(before)
  control.step(7200)
  expect(field.plant.simTimeS).toBeCloseTo(before + 7200, 6)
  control.resume()
  await vi.waitFor(() => expect(field.plant.simTimeS).toBeGreaterThan(before + 7200), WAIT)
})

it('announces a new time factor from every concentrator, and refuses an invalid one', async () => {
  twin.control.setTimeFactor(600)
  await vi.waitFor(() => {
    for (const gateway of [FIRST, small.otherConcentrator])
      expect(birthsOf(gateway).at(-1)?.timeFactor).toBe(600)
  }, WAIT)
  expect(() => twin.control.setTimeFactor(0.5)).toThrow(RangeError)
  expect(() => twin.control.setTimeFactor(4000)).toThrow(RangeError)
  twin.control.setTimeFactor(60)
})

it('sends history after a concentrator loses its radio; the other concentrator is not affected', async () => {
  twin.control.inject({ kind: 'offline', target: FIRST })
  await vi.waitFor(() => expect(broker.isConnected(`heyuan/${FIRST}`)).toBe(false), WAIT)
  const since = received.length
  await vi.waitFor(() => {
    const later = received.slice(since)
    expect(later.filter(({ gateway }) => gateway !== FIRST).length).toBeGreaterThan(3)
    expect(later.filter(({ gateway, channel }) => gateway === FIRST && channel === 'telemetry')).toEqual([])
  }, WAIT)
  expect(twin.control.repair(FIRST)).toBe(1)
  await vi.waitFor(() => {
    expect(broker.isConnected(`heyuan/${FIRST}`)).toBe(true)
    expect(shownBy(VALVE, 'heat.flow', 'history')).toBeGreaterThan(0)
  }, WAIT)
})

it('shuts the valve of a loop, and refuses an unknown loop', () => {
  const { control, field } = twin
  const loopOf = () => readTruth(field).stations[0]?.loops
  expect(loopOf()).toMatchObject([{ isOpen: true }])
  expect(Math.abs(loopOf()?.[0]?.flowM3h ?? 0)).toBeGreaterThan(0.01)
  control.setLoopValve('s1', 0, false)
  control.step(1)
  expect(loopOf()).toEqual([{ isOpen: false, flowM3h: 0 }])
  control.setLoopValve('s1', 0, true)
  expect(() => control.setLoopValve('s1', 1, true)).toThrow(RangeError)
  expect(() => control.setLoopValve('s9', 0, true)).toThrow('no station s9')
})

it('refuses a fault of an unknown device', () => {
  expect(() => twin.control.inject({ kind: 'stuck', target: '999' })).toThrow('no such device')
})

it('restores a snapshot in a new boot', async () => {
  const { control, field } = twin
  const saved = control.snapshot()
  control.step(86_400)
  control.restore(saved)
  expect(field.plant.simTimeS).toBe(saved.simTimeS)
  await vi.waitFor(() => expect(birthsOf(FIRST).at(-1)?.boot).toBe(saved.boot + 1), WAIT)
})

it('continues after a restart where it stopped', async () => {
  const { boot, field } = twin
  await twin.stop()
  const stoppedAt = field.plant.simTimeS
  const before = boot()
  twin = start()
  await twin.ready
  expect(twin.boot()).toBe(before + 1)
  expect(twin.field.plant.simTimeS - stoppedAt).toBeLessThan(3600)
  expect(twin.field.concentrators[0]?.valves.get(VALVE)?.actuator.position).toBe(0.1)
})
