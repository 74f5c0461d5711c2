import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { toNodeKey } from '../network/index.ts'
import { type IrrigationBench, startIrrigationBench } from './irrigation.testkit.ts'
import { listFaults } from './storage/faults.pg.ts'
import { listActiveRuns, markOpening } from './storage/runs.pg.ts'

let bench: IrrigationBench
let source: IrrigationSource
const valveOf = (serial: string) => bench.valves.get(serial) ?? { openingPct: Number.NaN, maxSec: undefined }
const openValves = () =>
  [...bench.valves].flatMap(([serial, { openingPct }]) => (openingPct > 0 ? [serial] : []))
const now = () => bench.source(source.id)
const listFaultNames = async () => (await listFaults(bench.db, bench.clock.now())).map(({ what }) => what)
const lastRun = async () =>
  (await bench.irrigation.listRuns(bench.call().caller, { limiter: { page: 1, size: 1 } })).datalist[0]

const sourceSettings = {
  name: '一号泵站',
  capacityM3H: 12,
  leadS: 0,
  groupDelayS: 0,
  afterOutage: 'resume' as const,
}
async function addGroup(name: string, serials: readonly string[]): Promise<number> {
  const valves = serials.map((serial) => ({ deviceId: bench.idOf(serial), flowM3H: 6, maxS: 1_800 }))
  const settings = { name, mode: 'parallel' as const, valves }
  const { groups } = await bench.settings.setGroup(bench.call(), { sourceId: source.id, settings })
  return groups.at(-1)?.id ?? 0
}
let groupIds: number[]
/** A program of both groups, a minute each, in so many minutes from now. */
async function addProgram(minutes = 2, runS = 60): Promise<void> {
  const local = bench.clock.now() + 8 * HOUR_MS + minutes * MINUTE_MS
  const plan = {
    days: { kind: 'every' as const, n: 1, from: 0 },
    starts: [{ kind: 'time' as const, minute: Math.floor(local / MINUTE_MS) % 1_440 }],
    entries: groupIds.map((groupId) => ({ groupId, runS })),
    seasonalPct: 100,
    together: false,
  }
  source = await bench.settings.setProgram(bench.call(), {
    sourceId: source.id,
    settings: { name: '晨灌', enabled: true, plan },
  })
}

beforeAll(async () => {
  bench = await startIrrigationBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.clear()
  // A second after a full minute: starts of programs are minutes.
  bench.clock.shiftMs += MINUTE_MS + 1_000 - (bench.clock.now() % MINUTE_MS)
  const node = await bench.db.selectFrom('node').select('id').where('level', '=', 4).executeTakeFirstOrThrow()
  source = await bench.settings.setSource(bench.call(), {
    node: String(node.id),
    settings: sourceSettings,
  })
  groupIds = [await addGroup('一组', ['C1V1', 'C1V2']), await addGroup('二组', ['C1V3', 'C1V4'])]
})

test('a program waters its groups one after the other at the times of the preview, and counts the water', async () => {
  await addProgram()
  const [previewed] = (await now()).next
  await bench.pass(300)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'done', name: '晨灌', dueMs: previewed?.dueMs })
  expect(run?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['closed', undefined],
    ['closed', undefined],
  ])
  for (const [index, step] of (run?.steps ?? []).entries()) {
    const planned = previewed?.steps[index]
    // The field is ticked every five seconds.
    expect(Math.abs((step.openedMs ?? 0) - (planned?.startMs ?? 0))).toBeLessThanOrEqual(15_000)
    expect(step.volumeM3).toBeCloseTo((12 * 60) / 3600, 1)
  }
  const [first, second] = run?.steps ?? []
  expect(second?.openedMs).toBeGreaterThanOrEqual(first?.closedMs ?? Number.POSITIVE_INFINITY)
  expect(openValves()).toEqual([])
})

test('every command that opens carries the longest time, and the device keeps it while no server runs', async () => {
  await bench.irrigation.start(bench.call(), { groupId: groupIds[0] ?? 0, runS: 120 })
  await bench.pass(10)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
  expect(valveOf('C1V1').maxSec).toBe(150)
  await bench.pass(200, 10, false)
  expect(openValves()).toEqual([])
})

test('after a restart in the middle of a run the rest is watered, each valve once', async () => {
  await addProgram()
  await bench.pass(150)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
  await bench.restart()
  await bench.pass(200)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'done' })
  expect(run?.steps.map(({ state }) => state)).toEqual(['closed', 'closed'])
  const opened = await bench.db.selectFrom('command').select('id').where('opening_pct', '=', 100).execute()
  expect(new Set(opened.map(({ id }) => id)).size).toBe(opened.length)
})

test('after an outage the rule of the source decides: what has passed is skipped', async () => {
  const { id, version, node } = await now()
  source = await bench.settings.setSource(bench.call(), {
    id,
    version,
    node,
    settings: { ...sourceSettings, afterOutage: 'skip' },
  })
  await addProgram()
  await bench.pass(150)
  await bench.pass(600, 60, false)
  await bench.pass(30)
  const run = await lastRun()
  expect(run?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['closed', undefined],
    ['skipped', 'outage'],
  ])
  expect(openValves()).toEqual([])
})

test('stop closes every valve at once, and the rest is not watered', async () => {
  await addProgram()
  await bench.pass(150)
  await bench.irrigation.stop(bench.call(), source.id)
  await bench.settle()
  expect(openValves()).toEqual([])
  await bench.pass(20)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'stopped' })
  expect(run?.steps.map(({ state }) => state)).toEqual(['closed', 'skipped'])
})

test('a paused run closes its valves, and resumes with the rest of the water time', async () => {
  await bench.irrigation.start(bench.call(), { groupId: groupIds[0] ?? 0, runS: 120 })
  await bench.pass(60)
  const [running] = (await now()).runs
  const runId = running?.id ?? 0
  await bench.irrigation.change(bench.call(), { runId, event: 'pause' })
  await bench.pass(60)
  expect(openValves()).toEqual([])
  expect((await now()).runs[0]?.steps[0]).toMatchObject({ state: 'pending' })
  await bench.irrigation.change(bench.call(), { runId, event: 'resume' })
  await bench.pass(10)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
  await bench.pass(80)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'done' })
  expect(run?.volumeM3).toBeCloseTo((12 * 120) / 3600, 1)
})

test('a valve that does not close fails the run: the next group stays closed, and the page says which', async () => {
  await addProgram()
  await bench.pass(150)
  const stuck = bench.valves.get('C1V1')
  if (stuck) stuck.isStuck = true
  await bench.pass(120)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'failed' })
  expect(run?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['stuck', 'stuck'],
    ['skipped', 'stopped'],
  ])
  expect(openValves()).toEqual(['C1V1'])
  expect(await listFaultNames()).toEqual(['irrigation-stuck'])
  if (stuck) stuck.isStuck = false
  await bench.pass(120)
  expect(await listFaultNames()).toEqual([])
  expect(openValves()).toEqual([])
  expect((await lastRun())?.steps[0]?.state).toBe('closed')
})

test('no flow and high flow are found at the end of the step, and a healthy one has no finding', async () => {
  for (const serial of ['C1V1', 'C1V2']) Object.assign(bench.valves.get(serial) ?? {}, { flowShare: 0 })
  for (const serial of ['C1V3', 'C1V4']) Object.assign(bench.valves.get(serial) ?? {}, { flowShare: 2 })
  await addProgram()
  await bench.pass(300)
  expect((await lastRun())?.steps.map(({ finding }) => finding)).toEqual(['no-flow', 'high-flow'])
  expect(await listFaultNames()).toEqual(['irrigation-flow'])
  for (const valve of bench.valves.values()) valve.flowShare = 1
  for (const groupId of groupIds) await bench.irrigation.start(bench.call(), { groupId, runS: 60 })
  await bench.pass(200)
  expect(await listFaultNames()).toEqual([])
})

test('a pump without water halts its source: all closes, and a leak keeps programs from starting', async () => {
  const { id, version, node } = await now()
  const settings = { ...sourceSettings, stationId: bench.stationId, leakS: 30, dryRunS: 30 }
  source = await bench.settings.setSource(bench.call(), { id, version, node, settings })
  await bench.irrigation.start(bench.call(), { groupId: groupIds[0] ?? 0, runS: 600 })
  bench.house.isDry = true
  await bench.pass(80, 10)
  expect(openValves()).toEqual([])
  expect((await now()).runs).toMatchObject([{ state: 'paused', pausedFor: 'dry-run' }])
  bench.house.leakM3H = 2
  await bench.pass(80, 10)
  expect(await listFaultNames()).toEqual(expect.arrayContaining(['irrigation-halt', 'irrigation-leak']))
  await bench.irrigation.release(bench.call(), { sourceId: source.id, what: 'halt' })
  await addProgram(1)
  await bench.pass(70, 10)
  expect(await lastRun()).toMatchObject({ steps: [], conflicts: [{ kind: 'leak' }] })
})

test('the water of a day is not exceeded: the last step is shortened', async () => {
  const { id, version, node } = await now()
  source = await bench.settings.setSource(bench.call(), {
    id,
    version,
    node,
    settings: { ...sourceSettings, dailyBudgetM3: 0.3 },
  })
  await addProgram()
  await bench.pass(300)
  const run = await lastRun()
  expect(run?.volumeM3).toBeLessThanOrEqual(0.3 + 1e-9)
  expect(run?.volumeM3).toBeGreaterThan(0.2)
  expect(run?.conflicts).toMatchObject([{ kind: 'budget' }])
})

test('during a rain delay nothing starts, and the history says why; a single run starts nevertheless', async () => {
  await bench.irrigation.pause(bench.call(), {
    sourceId: source.id,
    until: bench.clock.now() + HOUR_MS,
    reason: '雨',
  })
  await addProgram()
  await bench.pass(150)
  expect(await lastRun()).toMatchObject({ state: 'done', steps: [], conflicts: [{ kind: 'paused' }] })
  await bench.irrigation.start(bench.call(), { groupId: groupIds[0] ?? 0, runS: 30 })
  await bench.pass(10)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
})

test('an account that lost its rights opens nothing, but what is open is closed', async () => {
  await addProgram()
  await bench.pass(150)
  bench.setRights(false)
  await bench.pass(120)
  const run = await lastRun()
  expect(run?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['closed', undefined],
    ['skipped', 'refused'],
  ])
  expect(openValves()).toEqual([])
})

test('a user who opens an irrigation valve sends its longest time too', async () => {
  const targets = [{ deviceId: bench.idOf('C1V1'), openingPct: 100 }]
  await bench.commands.send(bench.call(), { targets, reason: '手动' })
  await bench.settle()
  expect(valveOf('C1V1').maxSec).toBe(1_800)
})

test('a valve whose limits refuse the command to close is not called closed', async () => {
  await addProgram()
  await bench.pass(150)
  const limited = bench.db.updateTable('device').set({ min_opening_pct: 10 })
  await limited.where('id', '=', bench.idOf('C1V1')).execute()
  const valve = bench.valves.get('C1V1')
  if (valve) valve.closesAt = Number.POSITIVE_INFINITY
  await bench.pass(60)
  expect(openValves()).toEqual(['C1V1'])
  expect((await lastRun())?.steps.map(({ state }) => state)).toEqual(['stuck', 'skipped'])
})

test('a valve that does not open is tried once, and the next group is watered', async () => {
  for (const serial of ['C1V1', 'C1V2']) Object.assign(bench.valves.get(serial) ?? {}, { isStuck: true })
  await addProgram()
  const began = bench.clock.now()
  await bench.pass(300)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'done' })
  expect(run?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['closed', 'not-open'],
    ['closed', undefined],
  ])
  const opened = bench.db.selectFrom('command').select('id').where('opening_pct', '=', 100)
  const ofValve = opened.where('device_id', '=', bench.idOf('C1V1')).where('created_ms', '>=', began)
  expect(await ofValve.execute()).toHaveLength(1)
})

test('nothing opens after a stop, whatever the runner has decided before', async () => {
  await bench.irrigation.start(bench.call(), { groupId: groupIds[0] ?? 0, runS: 120 })
  const [step] = (await listActiveRuns(bench.db, [source.id])).flatMap(({ steps }) => steps)
  if (!step) throw new Error('no step')
  await bench.db.updateTable('irrigation_source').set({ worker: 'w1' }).where('id', '=', source.id).execute()
  await bench.irrigation.stop(bench.call(), source.id)
  const mark = bench.db.transaction().execute((transaction) => markOpening(transaction, step, 'w1', {}))
  expect(await mark).toBe(false)
})

test('a replica opens nothing once another one has its source', async () => {
  await bench.irrigation.start(bench.call(), { groupId: groupIds[0] ?? 0, runS: 120 })
  const [step] = (await listActiveRuns(bench.db, [source.id])).flatMap(({ steps }) => steps)
  if (!step) throw new Error('no step')
  await bench.db
    .updateTable('irrigation_source')
    .set({ worker: 'next' })
    .where('id', '=', source.id)
    .execute()
  const mark = bench.db.transaction().execute((transaction) => markOpening(transaction, step, 'w1', {}))
  expect(await mark).toBe(false)
})

test('the rule after an outage leaves a run alone that starts at a source without programs', async () => {
  const { id, version, node } = await now()
  const settings = { ...sourceSettings, afterOutage: 'finish' as const }
  source = await bench.settings.setSource(bench.call(), { id, version, node, settings })
  const groupId = groupIds[0] ?? 0
  await bench.irrigation.start(bench.call(), { groupId, runS: 20 })
  await bench.pass(60)
  await bench.pass(600, 60, false)
  await bench.irrigation.start(bench.call(), { groupId, runS: 60 })
  await bench.pass(10)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
})

test('a valve is shown at the position of the closest node above that is on the map', async () => {
  const valve = bench.db
    .selectFrom('device')
    .innerJoin('node', 'node.id', 'device.node_id')
    .select('node.path')
  const { path } = await valve.where('device.id', '=', bench.idOf('C1V1')).executeTakeFirstOrThrow()
  const [below, above] = path.split('/').filter(Boolean).map(Number).toReversed()
  const place = (node_id = 0, longitude_deg = 0) => ({
    node_id,
    longitude_deg,
    latitude_deg: 41,
    outline: null,
  })
  const shown = async () => (await now()).groups[0]?.valves[0]?.position
  expect(await shown()).toBeUndefined()
  await bench.db.insertInto('node_gis').values(place(above, 123)).execute()
  expect(await shown()).toEqual({ longitudeDeg: 123, latitudeDeg: 41 })
  await bench.db.insertInto('node_gis').values(place(below, 124)).execute()
  expect(await shown()).toEqual({ longitudeDeg: 124, latitudeDeg: 41 })
})

test('the first program of a source does not make up for its starts before', async () => {
  await bench.pass(600, 60, false)
  await addProgram(-5)
  await bench.pass(20)
  expect(openValves()).toEqual([])
  expect(await lastRun()).toBeUndefined()
})

test('the preview has no runs that are over: their water is counted already', async () => {
  const { id, version, node } = await now()
  const settings = { ...sourceSettings, dailyBudgetM3: 0.5 }
  source = await bench.settings.setSource(bench.call(), { id, version, node, settings })
  await addProgram()
  await bench.pass(300)
  const from = bench.clock.now() - 6 * HOUR_MS
  const { runs } = await bench.irrigation.preview(bench.call().caller, {
    sourceId: source.id,
    from,
    to: from + 12 * HOUR_MS,
  })
  expect(runs).toEqual([])
})

test('a group has only valves below the node of its source', async () => {
  const place = await bench.db
    .selectFrom('device')
    .innerJoin('node', 'node.id', 'device.node_id')
    .select(['node.id', 'uuid', 'address'])
    .where('device.serial', '=', 'S1')
    .executeTakeFirstOrThrow()
  source = await bench.settings.setSource(bench.call(), { node: toNodeKey(place), settings: sourceSettings })
  await expect(addGroup('别处', ['C1V1'])).rejects.toMatchObject({ code: 'device.not-found' })
})
