import { replyMessage } from '@isotherm/contract/mqtt'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { beforeEach, expect, it } from 'vitest'
import { isDeviceFault } from '../../faults/fault.ts'
import { createFaultBoard, type FaultBoard } from '../../faults/fault-board.ts'
import { createStationPlant, stepStation } from '../../plant/station-plant.ts'
import { restoreGateway, saveGateway } from '../../runtime/device-state.ts'
import { createNamed } from '../../scenarios/create-scenario.ts'
import { collectReports } from './collect-reports.ts'
import { createConcentrator } from './create-gateways.ts'
import { type FieldGateway, receiveCommand, runMotors } from './field-gateway.ts'

const NOW = 1_763_683_200_000
const sky = { outdoorC: -5, sunWM2: 0, groundSunWM2: 0, humidityPct: 60, windMS: 2, rainMmH: 0 }
const scenario = createNamed('demo')
const [spec] = scenario.stations
if (spec === undefined) throw new Error('the demo has no station')
const { stationSerial: STATION } = spec

let faults: FaultBoard
let gateway: FieldGateway

const start = (): FieldGateway =>
  createConcentrator(createStationPlant(spec, -5), {
    seed: 1,
    boot: 7,
    pace: { minMoveS: 20 },
    firmware: scenario.firmware,
    faults,
    nowMs: NOW,
  })

/** Advances simulated time in steps of a minute. */
function run(fromS: number, toS: number) {
  const replies = []
  for (let at = fromS; at <= toS; at += 60) {
    replies.push(...runMotors(gateway, NOW, at))
    stepStation(gateway.plant, sky, at, 60)
  }
  return replies
}

beforeEach(() => {
  faults = createFaultBoard(scenario.faults.filter(isDeviceFault), 0)
  gateway = start()
  run(60, 3_600)
})

const order = (offset: number, rev = 1, id = `s${rev}`) => ({
  v: 1,
  id,
  dev: STATION,
  do: 'supply.set',
  args: { offset },
  iat: NOW,
  exp: NOW + MINUTE_MS,
  rev,
})

const readStation = () => {
  const sent = [NOW, NOW + HOUR_MS].map((at) => collectReports(gateway, at, 20_000))
  return sent.flatMap(({ telemetry }) => telemetry.flatMap(({ d }) => d)).find(({ id }) => id === STATION)?.m
}

it('adds the offset to its heating curve, reports both, and the supply follows', () => {
  const before = gateway.plant.supplyC
  expect(receiveCommand(gateway, order(-4), NOW, 3_660)).toMatchObject([{ stage: 'accepted', code: 0 }])
  const replies = run(3_660, 3_660 + 4 * 3_600)
  expect(replies).toMatchObject([{ id: 's1', stage: 'done', code: 0, res: { offset: -4 } }])
  expect(replyMessage.safeParse(replies[0]).success).toBe(true)
  expect(gateway.plant.supplyC - before).toBeCloseTo(-4, 1)
  const shown = readStation()
  expect(shown?.['supply.offset']).toBe(-4)
  expect(shown?.['supply.target']).toBeCloseTo(before - 4, 0)
})

it('continues to follow the weather with the offset', () => {
  receiveCommand(gateway, order(-4), NOW, 3_660)
  run(3_660, 20_000)
  const cold = gateway.plant.supplyC
  for (let at = 20_000; at < 40_000; at += 60) stepStation(gateway.plant, { ...sky, outdoorC: 3 }, at, 60)
  expect(gateway.plant.supplyC).toBeLessThan(cold - 3)
})

it('reports an offset of zero before the first command: it accepts commands', () => {
  expect(readStation()?.['supply.offset']).toBe(0)
})

it('answers a repeated command with the same reply, and refuses old, expired or foreign commands', () => {
  receiveCommand(gateway, order(-2), NOW, 3_660)
  run(3_660, 3_700)
  expect(receiveCommand(gateway, order(-9, 4, 's1'), NOW, 3_720)).toMatchObject([{ stage: 'done', code: 0 }])
  expect(receiveCommand(gateway, order(-3, 1, 'q'), NOW, 3_720)).toMatchObject([{ code: 409 }])
  const late = { ...order(-3, 5, 'late'), exp: NOW }
  expect(receiveCommand(gateway, late, NOW, 3_720)).toMatchObject([{ code: 410 }])
  expect(receiveCommand(gateway, order(31, 6, 'hot'), NOW, 3_720)).toMatchObject([{ code: 400 }])
  const [valve] = [...gateway.valves.keys()]
  expect(receiveCommand(gateway, { ...order(-3, 7, 'wrong'), dev: valve }, NOW, 3_720)).toMatchObject([
    { code: 501 },
  ])
  expect(gateway.plant.supplyOffsetK).toBe(-2)
})

it('changes nothing on a silent bus, and ends a running command when a newer one comes', () => {
  faults.inject({ kind: 'offline', target: STATION, fromS: 0 })
  receiveCommand(gateway, order(-2), NOW, 3_660)
  expect(receiveCommand(gateway, order(-3, 2), NOW, 3_661)).toMatchObject([
    { id: 's1', stage: 'done', code: 409 },
    { id: 's2', stage: 'accepted', code: 0 },
  ])
  expect(runMotors(gateway, NOW + 4_000, 3_670)).toMatchObject([{ id: 's2', stage: 'done', code: 408 }])
  expect(gateway.plant.supplyOffsetK).toBe(0)
})

it('a head and an offset do not replace each other', () => {
  receiveCommand(gateway, order(-2), NOW, 3_660)
  const head = { ...order(0, 2, 'p2'), do: 'pump.set', args: { head: 60 } }
  expect(receiveCommand(gateway, head, NOW, 3_661)).toMatchObject([{ id: 'p2', stage: 'accepted', code: 0 }])
  const done = run(3_690, 5_000).filter(({ stage }) => stage === 'done')
  expect(done.map(({ id }) => id).sort()).toEqual(['p2', 's1'])
})

it('a saved controller continues with its offset, revision and replies', () => {
  receiveCommand(gateway, order(-2, 8), NOW, 3_660)
  const saved = saveGateway(gateway)
  gateway = start()
  restoreGateway(gateway, saved)
  expect(run(3_690, 3_700)).toMatchObject([{ id: 's8', stage: 'done', code: 0 }])
  expect(gateway.plant.supplyOffsetK).toBe(-2)
  expect(receiveCommand(gateway, order(-3, 8, 'again'), NOW, 3_720)).toMatchObject([{ code: 409 }])
})
