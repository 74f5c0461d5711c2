import { replyCodes } from '@isotherm/contract/mqtt'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { beforeEach, expect, it } from 'vitest'
import { createFaultBoard, type FaultBoard } from '../../faults/fault-board.ts'
import { createStationPlant, stepStation } from '../../plant/station-plant.ts'
import { createNamed } from '../../scenarios/create-scenario.ts'
import { collectReports } from './collect-reports.ts'
import { createConcentrator } from './create-gateways.ts'
import { type FieldGateway, receiveCommand } from './field-gateway.ts'

const NOW = 1_763_683_200_000
const scenario = createNamed('demo')
const [spec] = scenario.stations
if (spec === undefined) throw new Error('the demo has no station')

let gateway: FieldGateway
let faults: FaultBoard

beforeEach(() => {
  const plant = createStationPlant(spec, -5)
  faults = createFaultBoard([], 0)
  gateway = createConcentrator(plant, {
    seed: 1,
    boot: 7,
    pace: { minMoveS: 20 },
    firmware: scenario.firmware,
    faults,
    nowMs: NOW,
  })
  stepStation(
    plant,
    { outdoorC: -5, sunWM2: 0, groundSunWM2: 0, humidityPct: 60, windMS: 2, rainMmH: 0 },
    60,
    60,
  )
  // Decides when each device reports next.
  collectReports(gateway, NOW, 60)
})

const serialOf = (kind: string): string => {
  const child = gateway.children.find((candidate) => candidate.kind === kind)
  if (child === undefined) throw new Error(`the demo has no ${kind}`)
  return child.serial
}
const ask = (dev: string, exp = NOW + MINUTE_MS) =>
  receiveCommand(gateway, { v: 1, id: 'read-1', dev, do: 'read', iat: NOW, exp }, NOW, 60).map(
    ({ dev: of, stage, code }) => [of, stage, code],
  )
const listReported = () =>
  collectReports(gateway, NOW + 1, 60).telemetry.flatMap(({ d }) => d.map(({ id }) => id))

it.each(['heat-meter', 'station', 'concentrator'])('reports a %s at once on request', (kind) => {
  const serial = serialOf(kind)
  expect(listReported()).not.toContain(serial)
  expect(ask(serial)).toEqual([
    [serial, 'accepted', 0],
    [serial, 'done', 0],
  ])
  expect(listReported()).toContain(serial)
})

it('reports why a device was not read', () => {
  const meter = serialOf('heat-meter')
  const room = serialOf('room-sensor')
  expect(ask(room)).toEqual([[room, 'accepted', replyCodes.unsupported]])
  expect(ask('nobody')).toEqual([['nobody', 'accepted', replyCodes.noSuchChild]])
  expect(ask(meter, NOW)).toEqual([[meter, 'accepted', replyCodes.expired]])
  faults.inject({ target: meter, kind: 'offline' })
  expect(ask(meter)).toEqual([
    [meter, 'accepted', 0],
    [meter, 'done', replyCodes.busTimeout],
  ])
})
