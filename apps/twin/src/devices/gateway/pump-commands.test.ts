import { replyMessage } from '@isotherm/contract/mqtt'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { beforeEach, expect, it } from 'vitest'
import { isDeviceFault } from '../../faults/fault.ts'
import { createFaultBoard, type FaultBoard } from '../../faults/fault-board.ts'
import { createStationPlant, pumpNow, stepStation } from '../../plant/station-plant.ts'
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

let gateway: FieldGateway
let faults: FaultBoard

/** Advances simulated time in steps of half a minute. */
function run(fromS: number, toS: number) {
  const replies = []
  for (let at = fromS; at <= toS; at += 30) {
    replies.push(...runMotors(gateway, NOW, at))
    stepStation(gateway.plant, sky, at, 30)
  }
  return replies
}

beforeEach(() => {
  const plant = createStationPlant(spec, -5)
  faults = createFaultBoard(scenario.faults.filter(isDeviceFault), 0)
  gateway = createConcentrator(plant, {
    seed: 1,
    boot: 7,
    pace: { minMoveS: 20 },
    firmware: scenario.firmware,
    faults,
    nowMs: NOW,
  })
  stepStation(plant, sky, 60, 60)
})

const order = (head: number, rev = 1, id = `p${rev}`) => ({
  v: 1,
  id,
  dev: STATION,
  do: 'pump.set',
  args: { head },
  iat: NOW,
  exp: NOW + MINUTE_MS,
  rev,
})
const headKpa = () => pumpNow(gateway.plant).headPa / 1000

it('reaches the commanded head by speed alone, replies done, and reports the head setpoint', () => {
  const before = { head: headKpa(), ...pumpNow(gateway.plant), flow: gateway.plant.hydraulics.totalFlow }
  const requested = Math.round(0.7 * before.head)
  expect(receiveCommand(gateway, order(requested), NOW, 60)).toMatchObject([{ stage: 'accepted', code: 0 }])
  const replies = run(90, 400)
  expect(replies.map(({ stage, code }) => [stage, code])).toEqual([
    ['running', 0],
    ['done', 0],
  ])
  expect(replyMessage.safeParse(replies[1]).success).toBe(true)
  expect(replies[1]?.res?.head).toBeCloseTo(requested, 0)
  expect(headKpa()).toBeCloseTo(requested, 3)
  const { speed, powerW } = pumpNow(gateway.plant)
  // With unchanged valves flow is proportional to √head, power to head^1.5, speed to flow.
  expect(gateway.plant.hydraulics.totalFlow / before.flow).toBeCloseTo(Math.sqrt(requested / before.head), 2)
  expect(powerW / before.powerW).toBeCloseTo((requested / before.head) ** 1.5, 2)
  expect(speed / before.speed).toBeCloseTo(Math.sqrt(requested / before.head), 2)
  const sent = [NOW, NOW + HOUR_MS].map((at) => collectReports(gateway, at, 400))
  const shown = sent
    .flatMap(({ telemetry }) => telemetry.flatMap(({ d }) => d))
    .find(({ id }) => id === STATION)
  expect(shown?.m['pump.target']).toBe(requested)
})

it('holds the head while valves close', () => {
  const requested = Math.round(0.9 * headKpa())
  receiveCommand(gateway, order(requested), NOW, 60)
  run(90, 300)
  const flow = gateway.plant.hydraulics.totalFlow
  gateway.plant.openings.forEach((opening, index) => {
    gateway.plant.openings[index] = 0.7 * opening
  })
  gateway.plant.isValvesMoved = true
  run(330, 360)
  expect(gateway.plant.hydraulics.totalFlow).toBeLessThan(0.9 * flow)
  expect(headKpa()).toBeCloseTo(requested, 3)
})

it('replies failed at the end of its speed range, and runs at that speed', () => {
  const before = headKpa()
  receiveCommand(gateway, order(Math.round(4 * before)), NOW, 60)
  const [, done] = run(90, 2_000)
  expect(done).toMatchObject({ stage: 'done', code: 500 })
  expect(headKpa()).toBeGreaterThan(before)
  expect(pumpNow(gateway.plant).speed).toBe(1.1)
})

it('answers a repeated command with the same reply, and refuses old, expired or foreign commands', () => {
  const requested = Math.round(headKpa())
  receiveCommand(gateway, order(requested), NOW, 60)
  run(90, 300)
  expect(receiveCommand(gateway, order(requested + 9, 4, 'p1'), NOW, 400)).toMatchObject([
    { stage: 'done', code: 0 },
  ])
  expect(receiveCommand(gateway, order(requested, 1, 'q'), NOW, 400)).toMatchObject([{ code: 409 }])
  const late = { ...order(requested, 5, 'late'), exp: NOW }
  expect(receiveCommand(gateway, late, NOW, 400)).toMatchObject([{ code: 410 }])
  const turn = { ...order(requested, 6, 'turn'), do: 'valve.set', args: { opening: 40 } }
  expect(receiveCommand(gateway, turn, NOW, 400)).toMatchObject([{ code: 501 }])
  const [valve] = [...gateway.valves.keys()]
  const wrong = { ...order(requested, 7, 'wrong'), dev: valve }
  expect(receiveCommand(gateway, wrong, NOW, 400)).toMatchObject([{ code: 501 }])
})

it('ends a running command when a newer one comes, and times out on a silent bus', () => {
  const requested = Math.round(0.8 * headKpa())
  receiveCommand(gateway, order(requested), NOW, 60)
  const replies = receiveCommand(gateway, order(requested + 5, 2), NOW, 61)
  expect(replies).toMatchObject([
    { id: 'p1', stage: 'done', code: 409 },
    { id: 'p2', stage: 'accepted', code: 0 },
  ])
  run(90, 400)
  const held = headKpa()
  faults.inject({ kind: 'offline', target: STATION, fromS: 0 })
  receiveCommand(gateway, order(requested - 10, 3), NOW, 500)
  expect(runMotors(gateway, NOW + 4_000, 501)).toMatchObject([{ id: 'p3', stage: 'done', code: 408 }])
  expect(headKpa()).toBe(held)
})
