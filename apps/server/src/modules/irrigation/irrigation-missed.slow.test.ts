import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { sourceSettings, useSourceOfTwoGroups } from './irrigation-runs.testkit.ts'

const field = useSourceOfTwoGroups()
const { now, listFaultNames, lastRun, addProgram } = field

const listMissed = async () =>
  (await now()).missed.map(({ groupId, reason }) => [field.groupIds.indexOf(groupId), reason])

test('a rotation of an account without rights waters nothing: an alarm until a later run waters', async () => {
  field.bench.setRights(false)
  await addProgram()
  await field.bench.pass(210, 10)
  expect((await lastRun())?.steps.map(({ finding }) => finding)).toEqual(['refused', 'refused'])
  expect(await listFaultNames()).toEqual(['irrigation-missed'])
  expect(await listMissed()).toEqual([
    [0, 'refused'],
    [1, 'refused'],
  ])
  field.bench.setRights(true)
  for (const groupId of field.groupIds)
    await field.bench.irrigation.start(field.bench.call(), { groupId, runS: 20 })
  await field.bench.pass(40, 10)
  // The first group is watered again, the second not yet.
  expect(await listMissed()).toEqual([[1, 'refused']])
  await field.bench.pass(40, 10)
  expect(await listFaultNames()).toEqual([])
})

test('a group whose valves are retired raises the alarm, which ends after a day', async () => {
  const retire = (retired_at: Date | null) =>
    field.bench.db
      .updateTable('device')
      .set({ retired_at })
      .where('id', 'in', [field.bench.idOf('C1V3'), field.bench.idOf('C1V4')])
      .execute()
  await addProgram()
  await retire(new Date(field.bench.clock.now()))
  await field.bench.pass(250, 10)
  expect(await listMissed()).toEqual([[1, 'refused']])
  expect(await listFaultNames()).toEqual(['irrigation-missed'])
  await field.bench.pass(DAY_MS / 1000, HOUR_MS / 1000, false)
  expect(await listFaultNames()).toEqual([])
  await retire(null)
})

test('a start that is missed by more than an hour raises the alarm', async () => {
  await addProgram()
  await field.bench.pass(10)
  await field.bench.pass((2 * HOUR_MS) / 1000, (10 * MINUTE_MS) / 1000, false)
  await field.bench.pass(20)
  expect(await lastRun()).toMatchObject({ steps: [], conflicts: [{ kind: 'late' }] })
  expect(await listFaultNames()).toEqual(['irrigation-missed'])
  expect(await listMissed()).toEqual([
    [0, 'late'],
    [1, 'late'],
  ])
})

test('a missed start in a rain delay raises nothing', async () => {
  await addProgram()
  await field.bench.pass(10)
  const until = field.bench.clock.now() + DAY_MS
  await field.bench.irrigation.pause(field.bench.call(), { sourceId: field.source.id, until, reason: '雨' })
  await field.bench.pass((2 * HOUR_MS) / 1000, (10 * MINUTE_MS) / 1000, false)
  await field.bench.pass(20)
  expect(await lastRun()).toMatchObject({ steps: [], conflicts: [{ kind: 'paused' }] })
  expect(await listFaultNames()).toEqual([])
})

test('after an outage the rule finish leaves out all that is left, and the alarm names the groups', async () => {
  const { id, version, node } = await now()
  const settings = { ...sourceSettings, afterOutage: 'finish' as const }
  field.source = await field.bench.settings.setSource(field.bench.call(), { id, version, node, settings })
  await addProgram(2, 600)
  await field.bench.pass(150)
  await field.bench.pass(180, 60, false)
  await field.bench.pass(30)
  // Of the group that was being watered the rest is watered: it is no step that waits.
  expect((await lastRun())?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['open', undefined],
    ['skipped', 'outage'],
  ])
  await field.bench.pass(400, 20)
  expect(await lastRun()).toMatchObject({ state: 'done', steps: [{ state: 'closed' }, { state: 'skipped' }] })
  expect(await listFaultNames()).toEqual(['irrigation-missed'])
  expect(await listMissed()).toEqual([[1, 'outage']])
})

test('the rest of a paused run takes no water of the next day; after 12 hours the run ends, and cannot be resumed', async () => {
  const { id, version, node } = await now()
  const settings = { ...sourceSettings, dailyBudgetM3: 1.8 }
  field.source = await field.bench.settings.setSource(field.bench.call(), { id, version, node, settings })
  await addProgram(1, 240)
  await field.bench.pass(100, 10)
  const [running] = (await now()).runs
  const change = (event: 'pause' | 'resume') =>
    field.bench.irrigation.change(field.bench.call(), { runId: running?.id ?? 0, event })
  await change('pause')
  await field.bench.pass(20, 10)
  await field.bench.pass((11 * HOUR_MS) / 1000, HOUR_MS / 1000, false)
  await field.bench.pass(10)
  expect((await now()).runs).toMatchObject([{ state: 'paused' }])
  await field.bench.pass((11 * HOUR_MS) / 1000, HOUR_MS / 1000, false)
  const [next] = (await now()).next
  expect(next?.conflicts).toEqual([])
  await expect(change('resume')).rejects.toMatchObject({ code: 'irrigation.not-now' })
  await field.bench.pass(10)
  expect((await now()).runs).toEqual([])
  expect(await lastRun()).toMatchObject({
    state: 'done',
    steps: [
      { state: 'skipped', finding: 'expired' },
      { state: 'skipped', finding: 'expired' },
    ],
  })
  expect(await listFaultNames()).toEqual(['irrigation-missed'])
  expect(await listMissed()).toEqual([
    [0, 'expired'],
    [1, 'expired'],
  ])
})
