import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { toNodeKey } from '../network/index.ts'
import type { FieldReader } from './field.ts'
import { sourceSettings, useSourceOfTwoGroups } from './irrigation-runs.testkit.ts'
import { startIrrigationRunner } from './run/runner.ts'
import { listActiveRuns, markOpening } from './storage/runs.pg.ts'
import { claimSource } from './storage/sources.pg.ts'

const field = useSourceOfTwoGroups()
const { valveOf, openValves, now, listFaultNames, lastRun, addGroup, addProgram } = field

test('a program waters its groups one after the other at the times of the preview, and counts the water', async () => {
  await addProgram()
  const [previewed] = (await now()).next
  await field.bench.pass(300)
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
  await field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 120 })
  await field.bench.pass(10)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
  expect(valveOf('C1V1').maxSec).toBe(120)
  await field.bench.pass(200, 10, false)
  expect(openValves()).toEqual([])
})

test('after a restart in the middle of a run the rest is watered, each valve once', async () => {
  await addProgram()
  await field.bench.pass(150)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
  await field.bench.restart()
  await field.bench.pass(200)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'done' })
  expect(run?.steps.map(({ state }) => state)).toEqual(['closed', 'closed'])
  const opened = await field.bench.db
    .selectFrom('command')
    .select('id')
    .where('opening_pct', '=', 100)
    .execute()
  expect(new Set(opened.map(({ id }) => id)).size).toBe(opened.length)
})

test('of two calls at the same time that start a program one is refused, and it runs once', async () => {
  await addProgram(60)
  const [program] = (await now()).programs
  const start = () => field.bench.irrigation.startProgram(field.bench.call(), { programId: program?.id ?? 0 })
  const answers = await Promise.allSettled([start(), start()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(start()).rejects.toMatchObject({ code: 'irrigation.running' })
  expect((await now()).runs).toHaveLength(1)
})

test('stop closes every valve at once, and the rest is not watered', async () => {
  await addProgram()
  await field.bench.pass(150)
  await field.bench.irrigation.stop(field.bench.call(), field.source.id)
  await field.bench.settle()
  expect(openValves()).toEqual([])
  await field.bench.pass(20)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'stopped' })
  expect(run?.steps.map(({ state }) => state)).toEqual(['closed', 'skipped'])
})

test('a valve that does not close fails the run: the next group stays closed, and the page says which', async () => {
  await addProgram()
  await field.bench.pass(150)
  const stuck = field.bench.valves.get('C1V1')
  if (stuck) stuck.isStuck = true
  await field.bench.pass(120)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'failed' })
  expect(run?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['stuck', 'stuck'],
    ['skipped', 'stopped'],
  ])
  expect(openValves()).toEqual(['C1V1'])
  expect(await listFaultNames()).toEqual(['irrigation-stuck'])
  if (stuck) stuck.isStuck = false
  await field.bench.pass(120)
  expect(await listFaultNames()).toEqual([])
  expect(openValves()).toEqual([])
  expect((await lastRun())?.steps[0]?.state).toBe('closed')
})

test('an account that lost its rights opens nothing, but what is open is closed', async () => {
  await addProgram()
  await field.bench.pass(150)
  field.bench.setRights(false)
  await field.bench.pass(120)
  const run = await lastRun()
  expect(run?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['closed', undefined],
    ['skipped', 'refused'],
  ])
  expect(openValves()).toEqual([])
})

test('a user who opens an irrigation valve sends its longest time too', async () => {
  const targets = [{ deviceId: field.bench.idOf('C1V1'), openingPct: 100 }]
  await field.bench.commands.send(field.bench.call(), { targets, reason: '手动' })
  await field.bench.settle()
  expect(valveOf('C1V1').maxSec).toBe(1_800)
})

test('a valve whose limits refuse the command to close is not called closed', async () => {
  await addProgram()
  await field.bench.pass(150)
  const limited = field.bench.db.updateTable('device').set({ min_opening_pct: 10 })
  await limited.where('id', '=', field.bench.idOf('C1V1')).execute()
  const valve = field.bench.valves.get('C1V1')
  if (valve) valve.closesAt = Number.POSITIVE_INFINITY
  await field.bench.pass(60)
  expect(openValves()).toEqual(['C1V1'])
  expect((await lastRun())?.steps.map(({ state }) => state)).toEqual(['stuck', 'skipped'])
})

test('a change that is not possible any more is not in the log as done', async () => {
  const last = () =>
    field.bench.db
      .selectFrom('operation')
      .select((eb) => eb.fn.max('id').as('id'))
      .executeTakeFirst()
  const before = await last()
  const nothing = field.bench.irrigation.release(field.bench.call(), {
    sourceId: field.source.id,
    what: 'leak',
  })
  await expect(nothing).rejects.toMatchObject({ code: 'irrigation.not-now' })
  expect(await last()).toEqual(before)
})

test('nothing opens after a stop, whatever the runner has decided before', async () => {
  await field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 120 })
  const [step] = (await listActiveRuns(field.bench.db, [field.source.id])).flatMap(({ steps }) => steps)
  if (!step) throw new Error('no step')
  await field.bench.db
    .updateTable('irrigation_source')
    .set({ worker: 'w1' })
    .where('id', '=', field.source.id)
    .execute()
  await field.bench.irrigation.stop(field.bench.call(), field.source.id)
  const mark = field.bench.db.transaction().execute((transaction) => markOpening(transaction, step, 'w1', {}))
  expect(await mark).toBe(false)
})

test('a replica opens nothing once another one has its source', async () => {
  await field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 120 })
  const [step] = (await listActiveRuns(field.bench.db, [field.source.id])).flatMap(({ steps }) => steps)
  if (!step) throw new Error('no step')
  await field.bench.db
    .updateTable('irrigation_source')
    .set({ worker: 'next' })
    .where('id', '=', field.source.id)
    .execute()
  const mark = field.bench.db.transaction().execute((transaction) => markOpening(transaction, step, 'w1', {}))
  expect(await mark).toBe(false)
})

test('a valve is shown at the position of the closest node above that is on the map', async () => {
  const valve = field.bench.db
    .selectFrom('device')
    .innerJoin('node', 'node.id', 'device.node_id')
    .select('node.path')
  const { path } = await valve.where('device.id', '=', field.bench.idOf('C1V1')).executeTakeFirstOrThrow()
  const [below, above] = path.split('/').filter(Boolean).map(Number).toReversed()
  const place = (node_id = 0, longitude_deg = 0) => ({
    node_id,
    longitude_deg,
    latitude_deg: 41,
    outline: null,
  })
  const shown = async () => (await now()).groups[0]?.valves[0]?.position
  expect(await shown()).toBeUndefined()
  await field.bench.db.insertInto('node_gis').values(place(above, 123)).execute()
  expect(await shown()).toEqual({ longitudeDeg: 123, latitudeDeg: 41 })
  await field.bench.db.insertInto('node_gis').values(place(below, 124)).execute()
  expect(await shown()).toEqual({ longitudeDeg: 124, latitudeDeg: 41 })
})

test('a group has only valves below the node of its source', async () => {
  const place = await field.bench.db
    .selectFrom('device')
    .innerJoin('node', 'node.id', 'device.node_id')
    .select(['node.id', 'uuid', 'address'])
    .where('device.serial', '=', 'S1')
    .executeTakeFirstOrThrow()
  field.source = await field.bench.settings.setSource(field.bench.call(), {
    node: toNodeKey(place),
    settings: sourceSettings,
  })
  await expect(addGroup('别处', ['C1V1'])).rejects.toMatchObject({ code: 'device.not-found' })
})

test('a program of more openings a day than a run can have is neither stored nor previewed', async () => {
  const starts = Array.from({ length: 10 }, (_, minute) => ({ kind: 'time' as const, minute }))
  const plan = {
    days: { kind: 'every' as const, n: 1, from: 0 },
    starts,
    entries: [{ groupId: field.groupIds[0] ?? 0, runS: 64_800 }],
    cycle: { maxS: 30, soakS: 0 },
    seasonalPct: 100,
    together: false,
  }
  const { bench, source } = field
  const refused = { code: 'irrigation.too-many-parts', params: { count: 21_600, max: 2_000 } }
  const settings = { name: '晨灌', enabled: true, plan }
  await expect(
    bench.settings.setProgram(bench.call(), { sourceId: source.id, settings }),
  ).rejects.toMatchObject(refused)
  const preview = { sourceId: source.id, draft: { plan }, from: 0, to: 1 }
  await expect(bench.irrigation.preview(bench.call().caller, preview)).rejects.toMatchObject(refused)
})

test('who may not control valves gives a source only valves that are not of heating', async () => {
  const { bench, source } = field
  const toKeeper = () => {
    const call = bench.call()
    return { ...call, caller: { ...call.caller, permissions: new Set(['pe-irrigation'] as const) } }
  }
  const group = (serials: readonly string[]) => ({
    sourceId: source.id,
    settings: {
      name: serials.join(' '),
      mode: 'parallel' as const,
      valves: serials.map((serial) => ({ deviceId: bench.idOf(serial), flowM3H: 6, maxS: 1_800 })),
    },
  })
  const listChoice = async () => {
    const shown = await bench.irrigation.list(toKeeper().caller, {})
    return shown.find(({ id }) => id === source.id)?.candidates.map(({ deviceName }) => deviceName)
  }
  await bench.settings.setGroup(toKeeper(), group(['C1V5']))

  const { valve, building } = await readPlaces('C1V6')
  const change = (changed: { min_opening_pct: number | null; max_opening_pct?: number | null }) =>
    bench.db.updateTable('device').set(changed).where('id', '=', bench.idOf('C1V6')).execute()
  const heat = (emitter: 'radiator' | null) =>
    bench.db.updateTable('node').set({ emitter }).where('id', '=', building).execute()
  const refused = { code: 'irrigation.heating-valve', params: { device: 'C1V6' } }
  for (const [begin, end] of [
    [() => placeMeter(building), () => removeMeter()],
    [() => change({ min_opening_pct: 10 }), () => change({ min_opening_pct: 0 })],
    [() => heat('radiator'), () => heat(null)],
  ] as const) {
    await begin()
    await expect(bench.settings.setGroup(toKeeper(), group(['C1V6']))).rejects.toMatchObject(refused)
    const withMaster = { node: source.node, settings: { ...sourceSettings, masterId: bench.idOf('C1V6') } }
    await expect(bench.settings.setSource(toKeeper(), withMaster)).rejects.toMatchObject(refused)
    // What the source has already stays, and is in the list.
    const choice = await listChoice()
    expect(choice).not.toContain('C1V6')
    expect(choice).toEqual(expect.arrayContaining(['C1V1', 'C1V2', 'C1V3', 'C1V4', 'C1V5']))
    await end()
  }
  expect(await listChoice()).toContain('C1V6')
  // Without limits it may shut too.
  await change({ min_opening_pct: null, max_opening_pct: null })
  expect(await listChoice()).toContain('C1V6')
  await change({ min_opening_pct: 0, max_opening_pct: 100 })

  await heat('radiator')
  const registered = { company_id: valve.company_id, device_id: bench.idOf('C1V6'), node_id: valve.node_id }
  await bench.db
    .insertInto('control_device')
    .values({ ...registered, purpose: 'irrigation', name: '绿地' })
    .execute()
  await bench.settings.setGroup(toKeeper(), group(['C1V6']))
  await bench.db.deleteFrom('control_device').execute()
  await bench.settings.setGroup(bench.call(), group(['C1V6']))
  await heat(null)
})

const METER = 'H-of-the-test'
async function placeMeter(nodeId: number): Promise<unknown> {
  const { db, idOf } = field.bench
  const { company_id } = await db
    .selectFrom('device')
    .select('company_id')
    .where('id', '=', idOf('C1V6'))
    .executeTakeFirstOrThrow()
  const named = { serial: METER, name: METER, kind: 'heat-meter', model: 'H' } as const
  const meter = { ...named, company_id, node_id: nodeId, period_s: 900 }
  const model = { kind: 'heat-meter', name: 'H' } as const
  await db
    .insertInto('device_model')
    .values(model)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db.insertInto('device').values(meter).execute()
}
const removeMeter = () => field.bench.db.deleteFrom('device').where('serial', '=', METER).execute()

test('who may not control valves names no heat station as the controller of a source', async () => {
  const { bench, source } = field
  const station = await bench.db
    .selectFrom('device')
    .innerJoin('node', 'node.id', 'device.node_id')
    .select(['device.id', 'device.name', 'node.path'])
    .where('device.kind', '=', 'station')
    .executeTakeFirst()
  expect(station).toBeDefined()
  const call = bench.call()
  const keeper = { ...call, caller: { ...call.caller, permissions: new Set(['pe-irrigation'] as const) } }
  const input = { node: source.node, settings: { ...sourceSettings, stationId: station?.id ?? 0 } }
  const below = bench.db
    .updateTable('node')
    .set({ emitter: 'radiator' })
    .where('path', 'like', `${station?.path}%`)
  await below.execute()
  const refused = { code: 'irrigation.heat-station', params: { device: station?.name } }
  await expect(bench.settings.setSource(keeper, input)).rejects.toMatchObject(refused)
  await bench.db
    .updateTable('node')
    .set({ emitter: null })
    .where('path', 'like', `${station?.path}%`)
    .execute()
})

/** Where a valve is. */
async function readPlaces(serial: string) {
  const { db, idOf } = field.bench
  const valve = await db
    .selectFrom('device')
    .innerJoin('node', 'node.id', 'device.node_id')
    .select(['device.company_id', 'device.node_id', 'node.parent_id'])
    .where('device.id', '=', idOf(serial))
    .executeTakeFirstOrThrow()
  return { valve, building: valve.parent_id ?? 0 }
}

test('a source that fails stops no other one, and one that a change locks is left for the next tick', async () => {
  const { db, clock, settings, call, runner } = field.bench
  const failing = field.source
  await addProgram()
  const { id } = await settings.setSource(call(), {
    node: failing.node,
    settings: { ...sourceSettings, name: '二号泵站', stationId: field.bench.stationId },
  })
  const seenOf = async (source: number) =>
    (await db.selectFrom('irrigation_source').select('seen_ms').where('id', '=', source).execute())[0]
      ?.seen_ms
  const refusing = {
    ...runner.field,
    toRequest(...[source, ...rest]: Parameters<FieldReader['toRequest']>) {
      if (source.id === failing.id) throw new Error('no field')
      return runner.field.toRequest(source, ...rest)
    },
  }
  const loop = startIrrigationRunner({ ...runner, field: refusing })
  await vi.waitFor(async () => expect(await seenOf(id)).toBeGreaterThan(0), { timeout: 30_000 })
  await loop.close()
  expect(await seenOf(failing.id)).toBe(0)

  const claim = (source: number) => {
    const now = clock.now() + 60_000
    return claimSource(db, { id: source, worker: 'other', now, untilMs: now })
  }
  await db.transaction().execute(async (transaction) => {
    await sql`select from irrigation_source where id = ${id} for update`.execute(transaction)
    expect(await claim(id)).toBe(false)
  })
  expect(await claim(id)).toBe(true)
})

test('many changes of groups at once need one connection each', async () => {
  const serials = ['C1V1', 'C1V2']
  await Promise.all(Array.from({ length: 24 }, (_, index) => addGroup(`组${index}`, serials)))
  expect((await now()).groups).toHaveLength(26)
})
