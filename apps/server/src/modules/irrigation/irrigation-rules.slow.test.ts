import { HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sourceSettings, useSourceOfTwoGroups } from './irrigation-runs.testkit.ts'

const field = useSourceOfTwoGroups()
const { openValves, now, listFaultNames, lastRun, addProgram } = field

test('after an outage the rule of the source decides: what has passed is skipped', async () => {
  const { id, version, node } = await now()
  field.source = await field.bench.settings.setSource(field.bench.call(), {
    id,
    version,
    node,
    settings: { ...sourceSettings, afterOutage: 'skip' },
  })
  await addProgram()
  await field.bench.pass(150)
  await field.bench.pass(600, 60, false)
  await field.bench.pass(30)
  const run = await lastRun()
  expect(run?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['closed', undefined],
    ['skipped', 'outage'],
  ])
  expect(openValves()).toEqual([])
})

test('a paused run closes its valves, and resumes with the rest of the water time', async () => {
  await field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 120 })
  await field.bench.pass(60)
  const [running] = (await now()).runs
  const runId = running?.id ?? 0
  await field.bench.irrigation.change(field.bench.call(), { runId, event: 'pause' })
  await field.bench.pass(60)
  expect(openValves()).toEqual([])
  expect((await now()).runs[0]?.steps[0]).toMatchObject({ state: 'pending' })
  await field.bench.irrigation.change(field.bench.call(), { runId, event: 'resume' })
  await field.bench.pass(10)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
  await field.bench.pass(80)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'done' })
  expect(run?.volumeM3).toBeCloseTo((12 * 120) / 3600, 1)
})

test('no flow and high flow are found at the end of the step, and a healthy one has no finding', async () => {
  for (const serial of ['C1V1', 'C1V2']) Object.assign(field.bench.valves.get(serial) ?? {}, { flowShare: 0 })
  for (const serial of ['C1V3', 'C1V4']) Object.assign(field.bench.valves.get(serial) ?? {}, { flowShare: 2 })
  await addProgram()
  await field.bench.pass(300)
  expect((await lastRun())?.steps.map(({ finding }) => finding)).toEqual(['no-flow', 'high-flow'])
  expect(await listFaultNames()).toEqual(['irrigation-flow'])
  for (const valve of field.bench.valves.values()) valve.flowShare = 1
  for (const groupId of field.groupIds)
    await field.bench.irrigation.start(field.bench.call(), { groupId, runS: 60 })
  await field.bench.pass(200)
  expect(await listFaultNames()).toEqual([])
})

test('a pump without water halts its source: all closes, and a leak keeps programs from starting', async () => {
  const { id, version, node } = await now()
  const settings = { ...sourceSettings, stationId: field.bench.stationId, leakS: 30, dryRunS: 30 }
  field.source = await field.bench.settings.setSource(field.bench.call(), { id, version, node, settings })
  await field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 600 })
  field.bench.house.isDry = true
  await field.bench.pass(80, 10)
  expect(openValves()).toEqual([])
  expect((await now()).runs).toMatchObject([{ state: 'paused', pausedFor: 'dry-run' }])
  field.bench.house.leakM3H = 2
  await field.bench.pass(80, 10)
  expect(await listFaultNames()).toEqual(expect.arrayContaining(['irrigation-halt', 'irrigation-leak']))
  await field.bench.irrigation.release(field.bench.call(), { sourceId: field.source.id, what: 'halt' })
  await addProgram(1)
  await field.bench.pass(70, 10)
  expect(await lastRun()).toMatchObject({ steps: [], conflicts: [{ kind: 'leak' }] })
})

test('the water of a day is not exceeded: the last step is shortened', async () => {
  const { id, version, node } = await now()
  field.source = await field.bench.settings.setSource(field.bench.call(), {
    id,
    version,
    node,
    settings: { ...sourceSettings, dailyBudgetM3: 0.3 },
  })
  await addProgram()
  await field.bench.pass(300)
  const run = await lastRun()
  expect(run?.volumeM3).toBeLessThanOrEqual(0.3 + 1e-9)
  expect(run?.volumeM3).toBeGreaterThan(0.2)
  expect(run?.conflicts).toMatchObject([{ kind: 'budget' }])
})

test('during a rain delay nothing starts, and the history says why; a single run starts nevertheless', async () => {
  await field.bench.irrigation.pause(field.bench.call(), {
    sourceId: field.source.id,
    until: field.bench.clock.now() + HOUR_MS,
    reason: '雨',
  })
  await addProgram()
  await field.bench.pass(150)
  expect(await lastRun()).toMatchObject({ state: 'done', steps: [], conflicts: [{ kind: 'paused' }] })
  await field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 30 })
  await field.bench.pass(10)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
})

test('a valve that does not open is tried once, and the next group is watered', async () => {
  for (const serial of ['C1V1', 'C1V2'])
    Object.assign(field.bench.valves.get(serial) ?? {}, { isStuck: true })
  await addProgram()
  const began = field.bench.clock.now()
  await field.bench.pass(300)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'done' })
  expect(run?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['closed', 'not-open'],
    ['closed', undefined],
  ])
  const opened = field.bench.db.selectFrom('command').select('id').where('opening_pct', '=', 100)
  const ofValve = opened.where('device_id', '=', field.bench.idOf('C1V1')).where('created_ms', '>=', began)
  expect(await ofValve.execute()).toHaveLength(1)
})

test('the rule after an outage leaves a run alone that starts at a source without programs', async () => {
  const { id, version, node } = await now()
  const settings = { ...sourceSettings, afterOutage: 'finish' as const }
  field.source = await field.bench.settings.setSource(field.bench.call(), { id, version, node, settings })
  const groupId = field.groupIds[0] ?? 0
  await field.bench.irrigation.start(field.bench.call(), { groupId, runS: 20 })
  await field.bench.pass(60)
  await field.bench.pass(600, 60, false)
  await field.bench.irrigation.start(field.bench.call(), { groupId, runS: 60 })
  await field.bench.pass(10)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
})

test('the first program of a source does not make up for its starts before', async () => {
  await field.bench.pass(600, 60, false)
  await addProgram(-5)
  await field.bench.pass(20)
  expect(openValves()).toEqual([])
  expect(await lastRun()).toBeUndefined()
})

test('the preview has no runs that are over: their water is counted already', async () => {
  const { id, version, node } = await now()
  const settings = { ...sourceSettings, dailyBudgetM3: 0.5 }
  field.source = await field.bench.settings.setSource(field.bench.call(), { id, version, node, settings })
  await addProgram()
  await field.bench.pass(300)
  const from = field.bench.clock.now() - 6 * HOUR_MS
  const { runs } = await field.bench.irrigation.preview(field.bench.call().caller, {
    sourceId: field.source.id,
    from,
    to: from + 12 * HOUR_MS,
  })
  expect(runs).toEqual([])
})

test('a program is run once now: its groups in their order, beside its plan, whatever the soil is', async () => {
  await addProgram(60)
  const [program] = (await now()).programs
  const started = await field.bench.irrigation.startProgram(field.bench.call(), {
    programId: program?.id ?? 0,
  })
  expect(started.runs).toMatchObject([{ name: '晨灌', steps: [{ plannedS: 60 }, { plannedS: 60 }] }])
  expect(started.runs[0]?.programId).toBeUndefined()
  await field.bench.pass(10)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
  await field.bench.pass(70)
  expect(openValves()).toEqual(['C1V3', 'C1V4'])
  await field.bench.pass(80)
  expect(await lastRun()).toMatchObject({ state: 'done', steps: [{ state: 'closed' }, { state: 'closed' }] })
  expect((await now()).next[0]?.programId).toBe(program?.id)
})

test('the part of the water that meters counted is that of the whole step, not of its end', async () => {
  await field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 240 })
  await field.bench.pass(60)
  // What flowed while no server ran was not counted by a meter.
  await field.bench.pass(120, 60, false)
  await field.bench.pass(80)
  const run = await lastRun()
  expect(run?.volumeM3).toBeCloseTo((12 * 240) / 3600, 1)
  expect(run?.measuredM3).toBeGreaterThan((12 * 90) / 3600)
  expect(run?.measuredM3).toBeLessThan((12 * 130) / 3600)
})

test('a clock that is set back closes what is open at once, waters the rest, and counts no water twice', async () => {
  await field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 300 })
  await field.bench.pass(100)
  // What was stored was stored by a clock that was an hour ahead.
  await sql`update irrigation_step set opened_ms = opened_ms + ${HOUR_MS}::bigint,
    close_due_ms = close_due_ms + ${HOUR_MS}::bigint, metered_ms = metered_ms + ${HOUR_MS}::bigint
    where state = 'open'`.execute(field.bench.db)
  await field.bench.pass(10)
  const [running] = (await now()).runs
  expect(running?.volumeM3).toBeLessThan((12 * 110) / 3600)
  await field.bench.pass(230)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'done', steps: [{ state: 'closed' }] })
  expect(run?.volumeM3).toBeCloseTo((12 * 300) / 3600, 1)
  expect(openValves()).toEqual([])
})

test('a valve that is removed during a run is no reason to wait: the run goes on with the others', async () => {
  await addProgram()
  await field.bench.pass(150)
  const retired = field.bench.db.updateTable('device').set({ retired_at: new Date(field.bench.clock.now()) })
  await retired.where('id', '=', field.bench.idOf('C1V1')).execute()
  await field.bench.pass(200)
  const run = await lastRun()
  expect(run).toMatchObject({ state: 'done' })
  expect(run?.steps.map(({ state }) => state)).toEqual(['closed', 'closed'])
  expect(openValves().filter((serial) => serial !== 'C1V1')).toEqual([])
  const back = field.bench.db.updateTable('device').set({ retired_at: null })
  await back.where('id', '=', field.bench.idOf('C1V1')).execute()
})

test('what is needed by a run is not removed meanwhile', async () => {
  await addProgram()
  await field.bench.pass(150)
  const { groups, version } = await now()
  const call = field.bench.call()
  const refused = { code: 'irrigation.running' }
  const [group] = groups
  const ofGroup = { id: group?.id ?? 0, version: group?.version ?? 0 }
  await expect(field.bench.settings.remove(call, 'irrigation_group', ofGroup)).rejects.toMatchObject(refused)
  const ofSource = { id: field.source.id, version }
  await expect(field.bench.settings.remove(call, 'irrigation_source', ofSource)).rejects.toMatchObject(
    refused,
  )
})

test('the water of a valve that is stuck open counts until it is confirmed closed', async () => {
  await field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 60 })
  await field.bench.pass(20)
  const valve = field.bench.valves.get('C1V1')
  if (valve) valve.isStuck = true
  await field.bench.pass(1_240, 20)
  expect(openValves()).toEqual(['C1V1'])
  expect((await lastRun())?.volumeM3).toBeCloseTo((6 * 60 + 6 * 1_260) / 3600, 1)
  if (valve) valve.isStuck = false
  await field.bench.pass(80, 20)
  const run = await lastRun()
  expect(run?.steps).toMatchObject([{ state: 'closed' }])
  await field.bench.pass(300, 60)
  expect((await lastRun())?.volumeM3).toBe(run?.volumeM3)
})

test('a valve that closed by itself while no server ran takes no water until its close is confirmed', async () => {
  await field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 60 })
  await field.bench.pass(20)
  await field.bench.pass(1_200, 60, false)
  await field.bench.pass(30)
  expect((await lastRun())?.volumeM3).toBeCloseTo((12 * 60) / 3600, 1)
})
