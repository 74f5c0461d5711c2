import { DAY_MS } from '@isotherm/kernel/durations'
import { beforeEach, expect, it } from 'vitest'
import { createField, type Field } from '../../field/field.ts'
import { createSmall, small } from '../../scenarios/small-scenario.testkit.ts'
import type { ValveDevice } from '../models/valve-device.ts'
import type { FieldGateway } from './field-gateway.ts'

const NOW = 1_763_683_200_000
const PERIOD_S = 120
const scenario = createSmall({
  firmware: {
    periodS: {
      valve: PERIOD_S,
      'heat-meter': 60,
      'room-sensor': 60,
      station: 60,
      concentrator: 60,
      sensor: 60,
    },
    awakeS: 10,
    ownLink: { periodS: 600, awakeS: 15 },
    busTrace: false,
    clockDriftPpm: 50,
    bufferMessages: 100,
  },
})

let field: Field
let concentrator: FieldGateway
let valve: ValveDevice
let nowMs: number

beforeEach(() => {
  field = createField(scenario, { boot: 1, nowMs: NOW, pace: { minMoveS: 1 }, warmUp: 'cold' })
  nowMs = NOW
  const [first] = field.concentrators
  const found = first?.valves.get(small.valve)
  if (first === undefined || found === undefined) throw new Error('no valve')
  concentrator = first
  valve = found
})

const order = (id: string, opening: number, rev: number, livesS = 48 * 3600) => {
  const command = { v: 1, id, dev: small.valve, do: 'valve.set', args: { opening }, rev }
  return field.receive(concentrator, { ...command, iat: nowMs, exp: nowMs + livesS * 1000 }, nowMs)
}

/** Advances both clocks by seconds. Returns the replies, and the valve's readings with their instants. */
function live(seconds: number) {
  const replies: unknown[] = []
  const reports: { readonly atMs: number; readonly stampMs: number | undefined }[] = []
  for (let second = 0; second < seconds; second++) {
    nowMs += 1000
    for (const outgoing of field.step(nowMs, 1)) {
      replies.push(...outgoing.replies)
      for (const { d } of outgoing.telemetry)
        for (const { id, ts } of d) if (id === small.valve) reports.push({ atMs: nowMs, stampMs: ts })
    }
  }
  return { replies, reports }
}

it('gets a command only when it next wakes, and then replies', () => {
  expect(order('c1', 30, 1)).toEqual([])
  expect(order('c1', 30, 1)).toEqual([])
  const { replies, reports } = live(1.2 * PERIOD_S)
  expect(reports.length).toBeGreaterThan(0)
  expect(replies).toMatchObject([
    { id: 'c1', stage: 'accepted', code: 0 },
    { id: 'c1', stage: 'running', code: 0 },
    { id: 'c1', stage: 'done', code: 0, res: { opening: 30 } },
  ])
})

it('listens for a few seconds after its report', () => {
  while (live(1).reports.length === 0) expect(nowMs - NOW).toBeLessThan(2_000_000)
  expect(order('c1', 30, 1)).toMatchObject([{ stage: 'accepted', code: 0 }])
  live(20)
  expect(order('c2', 40, 2)).toEqual([])
})

it('refuses a command that expired while it slept', () => {
  order('late', 30, 1, 1)
  expect(live(1.2 * PERIOD_S).replies).toMatchObject([{ id: 'late', stage: 'accepted', code: 410 }])
})

it('refuses expired commands when the next command comes, even if it never wakes', () => {
  if (valve.battery === undefined) throw new Error('no battery')
  valve.battery.usedJ = 110_000
  expect(order('c1', 30, 1, 60)).toEqual([])
  expect(order('c2', 40, 2, 7200)).toEqual([])
  nowMs += 60_000
  expect(order('c3', 50, 3)).toMatchObject([{ id: 'c1', stage: 'accepted', code: 410 }])
  expect(valve.waiting.map(({ id }) => id)).toEqual(['c2', 'c3'])
  expect(order('c1', 30, 1, 60)).toMatchObject([{ id: 'c1', stage: 'accepted', code: 410 }])
  expect(order('late', 60, 4, 0)).toMatchObject([{ id: 'late', stage: 'accepted', code: 410 }])
  expect(valve.waiting.map(({ id }) => id)).toEqual(['c2', 'c3'])
})

it('runs queued commands in order; each newer one ends the older one', () => {
  order('c1', 30, 1)
  order('c2', 50, 2)
  const { replies } = live(1.2 * PERIOD_S)
  expect(replies).toContainEqual(expect.objectContaining({ id: 'c1', stage: 'done', code: 409 }))
  expect(replies.at(-1)).toMatchObject({ id: 'c2', stage: 'done', code: 0, res: { opening: 50 } })
})

it('uses energy for reports and moves, refuses to move on a low battery, and is silent on an empty one', () => {
  live(1.2 * PERIOD_S)
  expect(valve.battery?.usedJ).toBeGreaterThanOrEqual(5)
  if (valve.battery === undefined) throw new Error('no battery')
  valve.battery.usedJ = 105_000
  order('c1', 30, 1)
  expect(live(1.2 * PERIOD_S).replies).toMatchObject([{ id: 'c1', stage: 'accepted', code: 503 }])
  valve.battery.usedJ = 110_000
  expect(live(2.4 * PERIOD_S).reports).toEqual([])
})

it('gets time stamps from the drifting clock of its concentrator', () => {
  concentrator.clock.setAtMs = NOW - 100 * DAY_MS
  const [report] = live(1.2 * PERIOD_S).reports
  const expected = 100 * 86_400 * concentrator.clock.driftPpm * 1e-3
  expect((report?.stampMs ?? 0) - (report?.atMs ?? 0)).toBeCloseTo(expected, -2)
  expect(Math.abs(expected)).toBeGreaterThan(1000)
})

it('a room sensor with an empty battery is silent too', () => {
  const hasReported = (serial: string, seconds: number): boolean => {
    let isReporting = false
    for (let second = 0; second < seconds; second++) {
      nowMs += 1000
      for (const { telemetry } of field.step(nowMs, 1)) {
        isReporting ||= telemetry.some(({ d }) => d.some(({ id }) => id === serial))
      }
    }
    return isReporting
  }
  const [sensor] = concentrator.rooms
  if (sensor === undefined) throw new Error('no sensor')
  expect(hasReported(sensor.serial, 130)).toBe(true)
  sensor.battery.usedJ = 110_000
  expect(hasReported(sensor.serial, 130)).toBe(false)
})
