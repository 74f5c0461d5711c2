import { type CampaignDetail, campaignDetail } from '@isotherm/contract/balancing/campaign'
import type { EndpointName } from '@isotherm/contract/endpoints/all'
import type { PipeRecord } from '@isotherm/contract/network/pipes'
import { weightedDeviation } from '@isotherm/kernel/statistics'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readLoop } from '../loop/loop-place.ts'
import { recordsOf } from '../loop/records.ts'
import {
  type MeasuredStation,
  setEmitter,
  startMeasuredStation,
  storeEarlier,
} from './measured-station.testkit.ts'

let server: MeasuredStation['server']
let call: MeasuredStation['call']

beforeAll(async () => {
  ;({ server, call } = await startMeasuredStation())
})
beforeEach(() => server.db.deleteFrom('pipe').execute())
afterAll(() => server.stop())

async function callOk(name: EndpointName, input: unknown): Promise<unknown> {
  const { code, text, data } = await call(name, input)
  if (code !== undefined) throw new Error(`${name}: ${code} ${text}`)
  return data
}

const steel = (lengthM: number, innerDiameterMm: number): PipeRecord => ({
  lengthM,
  innerDiameterMm,
  material: 'steel',
  roughnessMm: null,
  laidYear: null,
})

async function record(pipes: readonly (readonly [string, string, PipeRecord])[]): Promise<void> {
  const items = pipes.map(async ([from, to, each]) => ({
    from: await server.nodeKey(from),
    to: await server.nodeKey(to),
    record: each,
  }))
  await callOk('updatePipes', { items: await Promise.all(items) })
}

const plan = async (): Promise<CampaignDetail> =>
  campaignDetail.parse(
    await callOk('addCampaign', {
      node: await server.nodeKey('s1'),
      mode: { kind: 'temperature', target: 'return' },
    }),
  )

const openingsOf = ({ members }: CampaignDetail) =>
  Object.fromEntries(members.map(({ deviceName, expected }) => [deviceName, expected.openingPct]))

const readRecords = async () =>
  recordsOf(await readLoop(server.db, { stationPath: await server.pathOf('s1'), nodeName: '一号站' }))

test('recorded pipes of a loop replace the assumed ones', async () => {
  const assumed = await readRecords()
  await record([
    ['s1', 'a1', steel(200, 53)],
    ['a1', 'b10', { ...steel(60, 32), material: 'pe-rt' }],
    ['s2', 'a2', steel(200, 53)],
  ])
  const { loop, mainsSigma } = await readRecords()
  // A pipe to the area and one to the building replace its street and branch; the other building has both still.
  expect(loop.pipes.slice(1, 3)).toMatchObject([
    { parent: 0, length: 260, innerDiameter: 0.053, roughness: 0.0005 },
    { parent: 1, length: 78, innerDiameter: 0.032, roughness: expect.closeTo(0.000015, 9) },
  ])
  expect(loop.pipes).toHaveLength(assumed.loop.pipes.length)
  expect(Array.from(mainsSigma ?? []).filter((sigma) => sigma < 0.4)).toHaveLength(2)
})

/** Spread of the returns that a plan computes, relative to each target, K; all have the same area. */
const plannedSpread = ({ members }: CampaignDetail): number =>
  weightedDeviation(members.map(({ expected, offsetK = 0 }) => (expected.returnC ?? Number.NaN) - offsetK)) ??
  Number.NaN

test('a plan uses the recorded pipes', async () => {
  const assumed = await plan()
  await record([
    ['s1', 'a1', steel(60, 53)],
    ['a1', 'b2', steel(20, 41)],
    ['a1', 'b10', steel(150, 33)],
  ])
  const recorded = await plan()
  const [before, after] = [openingsOf(assumed), openingsOf(recorded)]
  for (const valve of ['V-b2u1', 'V-b2u2'] as const)
    expect((after[valve] ?? 0) - (before[valve] ?? 0), valve).toBeGreaterThan(2)
  expect(plannedSpread(recorded)).toBeLessThan(0.3)
})

test('a building that is fed from two sides is planned with both', async () => {
  const tree = [
    ['s1', 'a1', steel(40, 53)],
    ['a1', 'b2', steel(60, 33)],
    ['a1', 'b10', steel(60, 33)],
  ] as const
  await record(tree)
  const fromOneSide = await plan()
  await record([['b2', 'b10', steel(20, 53)]])
  const { closing, loop } = await readRecords()
  expect(closing).toMatchObject([{ spec: { length: 26, innerDiameter: 0.053 } }])
  expect(loop.pipes).toHaveLength(8)
  const fromTwo = await plan()
  const [one, two] = [openingsOf(fromOneSide), openingsOf(fromTwo)]
  expect(two).not.toEqual(one)
  expect(plannedSpread(fromTwo)).toBeLessThan(0.3)
})

const setFloor = (key: string, emitter: 'floor' | null) => setEmitter({ server, call }, key, emitter)

test('floors have the heat output of floors, return colder water, and take a day to settle', async () => {
  const [before, radiators] = [await readRecords(), await plan()]
  await setFloor('b10', 'floor')
  const { exponent, loop } = await readRecords()
  const isFloor = loop.valves.map((_, index) => exponent[index] === 1.1)
  expect(isFloor.filter(Boolean)).toHaveLength(2)
  expect(Array.from(before.exponent)).toEqual([1.3, 1.3, 1.3, 1.3])
  const floors = await plan()
  const flowOf = ({ members }: CampaignDetail, valve: string) =>
    members.find(({ deviceName }) => deviceName === valve)?.targetFlowM3H ?? Number.NaN
  const change = (valve: string) => flowOf(floors, valve) / flowOf(radiators, valve)
  // The same flow is distributed so that floors return a kelvin less than the others.
  for (const valve of ['V-b10u1', 'V-b10u2']) expect(change(valve), valve).toBeLessThan(0.95)
  for (const valve of ['V-b2u1', 'V-b2u2']) expect(change(valve), valve).toBeGreaterThan(1.05)
  expect((floors.settleMs ?? 0) / (radiators.settleMs ?? 0)).toBeCloseTo(15, 0)
  // The spread is relative to each target; all have the same area.
  expect(floors.members.map(({ offsetK }) => offsetK ?? 0).toSorted()).toEqual([-1, -1, 0, 0])
  const errors = floors.members.map(
    ({ before: { returnC }, offsetK = 0 }) => (returnC ?? Number.NaN) - offsetK,
  )
  expect(floors.indices.before.sigmaReturnK).toBeCloseTo(weightedDeviation(errors) ?? 0, 9)
  // What the forecast expects, as a median of its samples, is not better than the plan computes.
  expect(floors.indices.expected.sigmaReturnK).toBeGreaterThan(plannedSpread(floors))
  expect(floors.indices.best?.sigmaReturnK).toBeLessThan(floors.indices.expected.sigmaReturnK ?? 0)
  expect(floors.indices.worst?.sigmaReturnK).toBeGreaterThan(floors.indices.expected.sigmaReturnK ?? 99)
  const { rows } = await sql<{ lateMs: number }>`
    select plan -> 'lateMs' as "lateMs" from campaign_round where campaign_id = ${floors.id}`.execute(
    server.db,
  )
  expect(rows).toEqual([{ lateMs: radiators.settleMs }])
  await setFloor('b10', null)
})

/** A valve was at another opening some hours ago: somebody turned it since. */
const turnByHand = (valve: string, hoursAgo: number) =>
  storeEarlier(server, valve, { metric: 'valve.opening', value: 80 }, hoursAgo)

test('a floor whose valve was turned hours ago waits until it has settled, and the others are balanced', async () => {
  await turnByHand('V-b10u1', 6)
  await turnByHand('V-b2u1', 6)
  await turnByHand('V-b10u2', 40)
  const limitsOf = ({ members }: CampaignDetail) =>
    Object.fromEntries(members.map(({ deviceName, limit }) => [deviceName, limit]))
  expect(Object.values(limitsOf(await plan()))).not.toContain('settling')
  await setFloor('b10', 'floor')
  const floors = await plan()
  expect(limitsOf(floors)).toMatchObject({ 'V-b10u1': 'settling' })
  expect(Object.values(limitsOf(floors)).filter((limit) => limit === 'settling')).toHaveLength(1)
  const waiting = floors.members.find(({ deviceName }) => deviceName === 'V-b10u1')
  expect(waiting).not.toHaveProperty('excluded')
  expect(waiting?.before).not.toHaveProperty('returnC')
  expect(openingsOf(floors)['V-b10u1']).toBe(50)
  expect(floors.moves).toBeGreaterThan(0)
  await setFloor('b2', 'floor')
  await turnByHand('V-b2u2', 3)
  await turnByHand('V-b10u2', 3)
  const idle = await plan()
  expect(new Set(Object.values(limitsOf(idle)))).toEqual(new Set(['settling']))
  expect(idle.moves).toBe(0)
  expect(idle.indices.before).not.toHaveProperty('sigmaReturnK')
})
