import type { DeviceKind } from '@isotherm/contract/devices'
import { isMetricName, isReportedBy, metrics } from '@isotherm/contract/metrics'
import { rawMessage, replyMessage, telemetryMessage } from '@isotherm/contract/mqtt'
import { registryFile } from '@isotherm/contract/network/registry-file'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { beforeEach, expect, it } from 'vitest'
import { isDeviceFault } from '../../faults/fault.ts'
import { createFaultBoard } from '../../faults/fault-board.ts'
import { createStationPlant, stepStation } from '../../plant/station-plant.ts'
import { createNamed } from '../../scenarios/create-scenario.ts'
import { toRegistryFile } from '../../scenarios/registry/registry.ts'
import { REMEMBERED_COMMANDS } from '../models/command-memory.ts'
import { collectReports } from './collect-reports.ts'
import { createConcentrator } from './create-gateways.ts'
import { type FieldGateway, receiveCommand, runMeters, runMotors } from './field-gateway.ts'

const NOW = 1_763_683_200_000
const scenario = createNamed('demo')

function start(stationIndex: number, spec = scenario.stations[stationIndex]): FieldGateway {
  if (spec === undefined) throw new Error(`no station ${stationIndex}`)
  const plant = createStationPlant(spec, -5)
  stepStation(
    plant,
    { outdoorC: -5, sunWM2: 0, groundSunWM2: 0, humidityPct: 60, windMS: 2, rainMmH: 0 },
    60,
    60,
  )
  return createConcentrator(plant, {
    seed: 1,
    boot: 7,
    pace: { minMoveS: 120 },
    firmware: scenario.firmware,
    faults: createFaultBoard(scenario.faults.filter(isDeviceFault), 0),
    nowMs: NOW,
  })
}

const VALVE = '11110000100101'
let concentrator: FieldGateway

beforeEach(() => {
  concentrator = start(0)
})

interface Order {
  readonly id?: string
  readonly dev?: string
  readonly opening?: number
  readonly rev?: number
  readonly exp?: number
}

const order = ({ id = 'c1', dev = VALVE, opening = 60, rev = 1, exp = NOW + MINUTE_MS }: Order) => ({
  v: 1,
  id,
  dev,
  do: 'valve.set',
  args: { opening },
  iat: NOW,
  exp,
  rev,
})

const codes = (replies: readonly { stage: string; code: number }[]) =>
  replies.map(({ stage, code }) => [stage, code])

it('accepts, runs and reports done with the opening reached', () => {
  expect(codes(receiveCommand(concentrator, order({}), NOW, 0))).toEqual([['accepted', 0]])
  expect(codes(runMotors(concentrator, NOW, 30))).toEqual([['running', 0]])
  expect(runMotors(concentrator, NOW, 60)).toEqual([])
  const [done] = runMotors(concentrator, NOW, 400)
  expect(done).toMatchObject({ stage: 'done', code: 0, res: { opening: 60 }, boot: 7, seq: 2 })
  expect(replyMessage.safeParse(done).success).toBe(true)
  const stem = concentrator.plant.openings[0] ?? 0
  expect(Math.abs(stem - 0.6)).toBeLessThanOrEqual(0.0101)
})

it('answers a repeated id with the stored result and does not move again', () => {
  receiveCommand(concentrator, order({}), NOW, 0)
  runMotors(concentrator, NOW, 30)
  runMotors(concentrator, NOW, 400)
  const again = receiveCommand(concentrator, order({ opening: 90, rev: 9 }), NOW + 1, 500)
  expect(again).toMatchObject([{ stage: 'done', code: 0, res: { opening: 60 } }])
  expect(runMotors(concentrator, NOW, 900)).toEqual([])
})

it('forgets results beyond the last 32 commands of a valve', () => {
  for (let rev = 1; rev <= REMEMBERED_COMMANDS + 5; rev++) {
    receiveCommand(concentrator, order({ id: `c${rev}`, rev }), NOW, rev)
  }
  expect(concentrator.valves.get(VALVE)?.replies.size).toBe(REMEMBERED_COMMANDS)
})

it('refuses an older or equal revision with 409, an expired command with 410', () => {
  receiveCommand(concentrator, order({ rev: 5 }), NOW, 0)
  expect(codes(receiveCommand(concentrator, order({ id: 'c2', rev: 5 }), NOW, 0))).toEqual([
    ['accepted', 409],
  ])
  expect(codes(receiveCommand(concentrator, order({ id: 'c3', rev: 6, exp: NOW }), NOW, 0))).toEqual([
    ['accepted', 410],
  ])
})

it('refuses a child it does not have with 404 and bad arguments with 400', () => {
  expect(codes(receiveCommand(concentrator, order({ dev: '999' }), NOW, 0))).toEqual([['accepted', 404]])
  expect(codes(receiveCommand(concentrator, order({ opening: 140 }), NOW, 0))).toEqual([['accepted', 400]])
  for (const garbage of [null, 42, 'x', [], {}, { id: 'c', dev: 7 }]) {
    expect(receiveCommand(concentrator, garbage, NOW, 0)).toEqual([])
  }
})

it('ends a running command with 409 when a newer one comes', () => {
  receiveCommand(concentrator, order({}), NOW, 0)
  runMotors(concentrator, NOW, 10)
  const replies = receiveCommand(concentrator, order({ id: 'c2', opening: 30, rev: 2 }), NOW, 20)
  expect(replies).toMatchObject([
    { id: 'c1', stage: 'done', code: 409 },
    { id: 'c2', stage: 'accepted', code: 0 },
  ])
})

it('reports a stuck valve as failed after it ran, and a silent child as timed out on the bus', () => {
  const second = start(1)
  const stuck = '11110000201802'
  receiveCommand(second, order({ dev: stuck, opening: 20 }), NOW, 0)
  expect(codes(runMotors(second, NOW, 30))).toEqual([['running', 0]])
  expect(codes(runMotors(second, NOW, 300))).toEqual([['done', 500]])
  const third = start(2)
  receiveCommand(third, order({ dev: '11110000303403' }), NOW, 0)
  expect(runMotors(third, NOW + 1000, 60)).toEqual([])
  expect(codes(runMotors(third, NOW + 3000, 180))).toEqual([['done', 408]])
})

it('does not time out a command because of the timeout of an earlier one', () => {
  concentrator.faults.inject({ kind: 'offline', target: VALVE })
  receiveCommand(concentrator, order({}), NOW, 0)
  concentrator.faults.repair(VALVE)
  const replies = receiveCommand(concentrator, order({ id: 'c2', opening: 30, rev: 2 }), NOW + 1000, 10)
  expect(codes(replies)).toEqual([
    ['done', 409],
    ['accepted', 0],
  ])
  expect(codes(runMotors(concentrator, NOW + 2000, 20))).toEqual([['running', 0]])
  expect(runMotors(concentrator, NOW + 3000, 30)).toEqual([])
  expect(runMotors(concentrator, NOW + 9000, 400)).toMatchObject([
    { id: 'c2', stage: 'done', code: 0, res: { opening: 30 } },
  ])
})

it('reports at once after a valve moved', () => {
  collectReports(concentrator, NOW, 0)
  receiveCommand(concentrator, order({}), NOW, 0)
  runMotors(concentrator, NOW, 400)
  const [message] = collectReports(concentrator, NOW + 1, 400).telemetry
  const reading = message?.d.find((child) => child.id === VALVE)
  expect(reading?.m).toMatchObject({ 'valve.opening': 60, 'valve.target': 60 })
})

/** Device kind by serial, from the registry. */
const kinds = new Map(
  registryFile.parse(toRegistryFile(scenario)).devices.map(({ serial, kind }) => [serial, kind]),
)

function kindOf(serial: string): DeviceKind {
  const kind = kinds.get(serial)
  if (kind === undefined) throw new Error(`no device ${serial}`)
  return kind
}

it('reports only metrics of the device kind, within their ranges, in numbered messages of the contract', () => {
  const messages = [0, 30_000, 60_000].flatMap(
    (later) => collectReports(concentrator, NOW + later, 60).telemetry,
  )
  expect(messages.map((message) => message.seq)).toEqual([0, 1, 2, 3].slice(0, messages.length))
  const reported = new Set<string>()
  for (const message of messages) {
    expect(telemetryMessage.safeParse(message).success).toBe(true)
    for (const child of message.d) {
      reported.add(child.id)
      for (const [name, value] of Object.entries(child.m)) {
        if (!isMetricName(name)) throw new Error(`${name} is no metric`)
        const [low, high] = metrics[name].range
        expect(value).toBeGreaterThanOrEqual(low)
        expect(value).toBeLessThanOrEqual(high)
        expect(isReportedBy(name, kindOf(child.id)), `${name} of ${kindOf(child.id)}`).toBe(true)
      }
    }
  }
  // 36 valves, 12 meters, 72 room sensors, the station and the concentrator itself.
  expect(reported.size).toBe(122)
})

it('increases meter registers by the power shown, and never decreases them', () => {
  const [meter] = concentrator.meters
  const before = meter?.energyKwh ?? 0
  runMeters(concentrator, 3660, 3600)
  const grown = (meter?.energyKwh ?? 0) - before
  expect(grown).toBeGreaterThan(20)
  expect(grown).toBeLessThan(400)
})

it('sends the frames of its meter bus when it traces; for a silent meter only the request', () => {
  const [silent] = concentrator.meters
  const tracing: FieldGateway = {
    ...concentrator,
    firmware: { ...scenario.firmware, busTrace: true },
    faults: createFaultBoard([{ kind: 'offline', target: silent?.serial ?? '' }], 0),
  }
  const messages = [0, 30_000].flatMap((later) => collectReports(tracing, NOW + later, 7200).raw)
  const frames = messages.flatMap((message) => rawMessage.parse(message).f)
  const requested = frames.filter(({ dir }) => dir === 'tx')
  const said = frames.filter(({ dir }) => dir === undefined)
  expect(requested).toHaveLength(12)
  expect(said).toHaveLength(11)
  expect(said.some(({ id }) => id === silent?.serial)).toBe(false)
  const [{ id = '', hex = '' } = {}] = said
  const reading = concentrator.meters.find(({ serial }) => serial === id)
  // Byte 19 on: the current energy, four bytes of decimals, the lowest first.
  const energy = (hex.slice(38, 46).match(/../g) ?? []).reverse().join('')
  expect(Number(energy) / 100).toBe(Math.floor(reading?.energyKwh ?? 0))
  expect(collectReports(concentrator, NOW + MINUTE_MS, 7200).raw).toEqual([])
})

it('accepts serials with any letters, and addresses a meter by the digits of its serial', () => {
  const spec = scenario.stations[0]
  if (spec === undefined) throw new Error('no station')
  const buildings = spec.buildings.map((building, index) => ({
    ...building,
    meter: { serial: `HM-${index}-x`, meterNo: `${1000 + index}` },
  }))
  const lettered = start(0, { ...spec, stationSerial: 'ST.a-1', buildings })
  const tracing: FieldGateway = { ...lettered, firmware: { ...scenario.firmware, busTrace: true } }
  const frames = [0, 30_000]
    .flatMap((later) => collectReports(tracing, NOW + later, 60).raw)
    .flatMap(({ f }) => f)
  expect(new Set(frames.map(({ id }) => id))).toEqual(new Set(buildings.map(({ meter }) => meter.serial)))
  expect(frames.find(({ id }) => id === 'HM-7-x')?.hex.slice(4, 18)).toBe('07000000000000')
})
