import { type Permission, permissions } from '@isotherm/contract/access/permissions'
import type { ExerciseValve } from '@isotherm/contract/endpoints/control/valve-exercises'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import { migratePostgres } from '../../platform/lifecycle/migrate.pg.ts'
import { createLog } from '../../platform/log.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import {
  type CommandsBench,
  createWideRegistry,
  startCommandsBench,
  toReply,
} from '../commands/commands.testkit.ts'
import type { Commands } from '../commands/index.ts'
import { createNetwork } from '../network/index.ts'
import { exercisesMigrations } from './migrations.pg.ts'
import { type ExerciseRunnerNeeds, runExercises } from './run-exercises.ts'
import { createExercisesService, type ExercisesService } from './service.ts'

/** The part of a command that a device reads. */
const requested = z.object({ id: z.string(), dev: z.string(), args: z.object({ opening: z.number() }) })

const log = createLog({ logLevel: 'silent' })
const everything = { companyId: undefined, permissions: new Set(permissions), scope: scopeOfEverything }
const WAIT = { timeout: 30_000 }
const VALVES = ['C1V1', 'C1V2', 'C2V1', 'C2V2']

let bench: CommandsBench
let commands: Commands
let exercises: ExercisesService
let needs: ExerciseRunnerNeeds
let accountId: number
let isSeason: boolean
let irrigating: ReadonlySet<number>

const call = () => createTestCall({ accountId, account: 'wang', ...everything })
const limiter = { page: 1, size: 50 }

beforeAll(async () => {
  bench = await startCommandsBench(createWideRegistry(2, 2))
  await migratePostgres(bench.db, [exercisesMigrations], log)
  commands = await bench.start()
  const { db, clock } = bench
  const season = { first: '11-15', last: '03-15', isAt: () => isSeason }
  exercises = createExercisesService({
    db,
    clock,
    devices: bench.registered.service,
    network: createNetwork(db, bench.registered),
    commands: commands.service,
    batches: commands.batches,
    findOpening: () => 35,
    listIrrigating: async () => irrigating,
    season,
    wake: () => {},
  })
  needs = { db, clock, commands: commands.service, findAccess: async () => everything, season }
  const account = await db
    .insertInto('account')
    .values({ account: 'wang', name: '王', password_hash: '', p_account: '', kind: 'provider' })
    .returning('id')
    .executeTakeFirstOrThrow()
  accountId = account.id
})
afterAll(async () => {
  await commands.close()
  await bench.close()
})
beforeEach(async () => {
  for (const table of ['valve_exercise_batch', 'valve_exercise_valve', 'valve_exercise'] as const)
    await bench.db.deleteFrom(table).execute()
  await bench.clear()
  isSeason = false
  // S1 sleeps for hours.
  irrigating = new Set([bench.idOf('S1')])
})

const start = () => exercises.add(call(), { nodes: [], reason: '夏季活动' })
const read = async (id: number) => {
  const { datalist } = await exercises.list(call().caller, { nodes: [], limiter })
  const found = datalist.find((each) => each.id === id)
  if (!found) throw new Error('no exercise')
  return found
}
const report = async (id: number): Promise<ReadonlyMap<string, ExerciseValve>> => {
  const { datalist } = await exercises.listValves(call().caller, { id, limiter })
  return new Map(datalist.map((valve) => [valve.imei, valve]))
}

/** Makes the devices execute their commands until none is open; the devices in `stuck` do not move. */
const obey = (stuck: readonly string[] = []): Promise<void> =>
  expect
    .poll(async () => {
      for (const { topic, body } of bench.published.splice(0)) {
        const { id, dev, args } = requested.parse(body)
        const from = { tenant: 'test', gateway: topic.split('/')[3] ?? '' }
        const ts = bench.clock.now()
        await commands.acceptReply(from, toReply(id, dev, 'done', stuck.includes(dev) ? 12 : 0, ts))
        if (!stuck.includes(dev))
          commands.observeOpening({ deviceId: bench.idOf(dev), ts: ts + 1, openingPct: args.opening })
      }
      return (await commands.countOpen()).size
    }, WAIT)
    .toBe(0)

/** Runs exercises until this one matches `like`. */
const reach = (id: number, like: object) =>
  expect
    .poll(async () => {
      await runExercises(needs)
      return read(id)
    }, WAIT)
    .toMatchObject(like)

/** Sends the step that is due. All valves except `stuck` execute it. */
async function runStep(stuck: readonly string[] = []): Promise<void> {
  await runExercises(needs)
  await obey(stuck)
}

/** Starts an exercise whose valves obey until it has sent this step. */
async function startUntil(last: 'close' | 'restore') {
  const started = await start()
  for (const step of last === 'close' ? ['close'] : ['close', 'restore']) {
    await runStep()
    await reach(started.id, { step })
  }
  return started
}

test('valves open, close and return to their former openings; the report names the stuck ones', async () => {
  const { id, total, counts } = await start()
  expect([total, counts]).toEqual([5, { pending: 4, 'left-out': 1 }])
  await Promise.all([runExercises(needs), runExercises(needs)])
  await obey(['C1V2'])
  await reach(id, { step: 'close' })
  await runStep()
  await reach(id, { step: 'restore' })
  await runStep()
  await reach(id, { state: 'finished', counts: { moved: 3, stuck: 1, 'left-out': 1 } })
  const rows = await report(id)
  expect(rows.get('C1V1')).toMatchObject({
    outcome: 'moved',
    beforePct: 35,
    steps: {
      open: { openingPct: 100, state: 'confirmed' },
      close: { openingPct: 10, state: 'confirmed' },
      restore: { openingPct: 35, state: 'confirmed' },
    },
  })
  expect(rows.get('C1V2')).toMatchObject({ outcome: 'stuck', steps: { open: { state: 'failed' } } })
  expect(rows.get('S1')).toMatchObject({ outcome: 'left-out', leftOut: 'irrigation', steps: {} })
  const { batches } = commands
  const { datalist } = await batches.list(call().caller, { nodes: [], limiter })
  expect(datalist.map(({ total: sent, priority, actor }) => [sent, priority, actor])).toEqual([
    [4, 'schedule', 'wang'],
    [4, 'schedule', 'wang'],
    [4, 'schedule', 'wang'],
  ])
}, 120_000)

test('in the heating season no exercise starts, and a running one restores its valves', async () => {
  isSeason = true
  await expect(start()).rejects.toMatchObject({
    code: 'exercise.in-season',
    params: { first: '11-15', last: '03-15' },
  })
  expect((await exercises.preview(call().caller, { nodes: [] })).season.isNow).toBe(true)
  isSeason = false
  const { id } = await start()
  await runStep()
  isSeason = true
  await reach(id, { step: 'restore' })
  await runStep()
  await reach(id, { state: 'stopped', stop: 'season', counts: { interrupted: 4 } })
}, 120_000)

test('a valve with a manual hold is left out; a valve that a user moves meanwhile gets no further command', async () => {
  await commands.service.send(call(), {
    targets: [{ deviceId: bench.idOf('C2V2'), openingPct: 50 }],
    reason: '保持',
    holdUntil: bench.clock.now() + HOUR_MS,
  })
  await obey()
  const preview = await exercises.preview(call().caller, { nodes: [] })
  expect(preview).toMatchObject({ valves: 3, leftOut: { held: 1, irrigation: 1 } })
  const { id } = await start()
  await runStep()
  await commands.service.send(call(), {
    targets: [{ deviceId: bench.idOf('C1V1'), openingPct: 60 }],
    reason: 'now',
  })
  await obey()
  await reach(id, { step: 'close' })
  await runStep()
  const rows = await report(id)
  expect(rows.get('C2V2')).toMatchObject({ outcome: 'left-out', leftOut: 'held' })
  expect(rows.get('C1V1')?.steps.close).toBeUndefined()
}, 120_000)

test('a cancelled exercise only restores the former openings, and only once', async () => {
  const { id } = await startUntil('close')
  expect(await exercises.cancel(call(), id)).toMatchObject({ state: 'cancelling', abilities: [] })
  await expect(exercises.cancel(call(), id)).rejects.toMatchObject({ code: 'exercise.not-now' })
  await reach(id, { step: 'restore' })
  await runStep()
  await reach(id, { state: 'cancelled' })
  expect((await report(id)).get('C1V1')?.steps).toMatchObject({ restore: { openingPct: 35 } })
}, 120_000)

const losses = [
  { what: 'is disabled', access: undefined },
  { what: 'lost the permission', access: { ...everything, permissions: new Set<Permission>() } },
]

for (const { what, access } of losses)
  test(`an exercise whose account ${what} restores the moved valves`, async () => {
    const { id } = await startUntil('close')
    await expect
      .poll(async () => {
        await runExercises({ ...needs, findAccess: async () => access })
        await obey()
        return read(id)
      }, WAIT)
      .toMatchObject({ state: 'stopped', stop: 'no-access' })
    const { steps } = (await report(id)).get('C1V1') ?? {}
    expect(steps).toMatchObject({ restore: { openingPct: 35, state: 'confirmed' } })
    expect(steps).not.toHaveProperty('close')
  }, 120_000)

test('an account that lost its valves in the last step does not leave them closed', async () => {
  const { id } = await startUntil('restore')
  const scope = { kind: 'paths', paths: [] } as const
  await expect
    .poll(async () => {
      await runExercises({ ...needs, findAccess: async () => ({ ...everything, scope }) })
      await obey()
      return read(id)
    }, WAIT)
    .toMatchObject({ state: 'finished', counts: { moved: 4 } })
  expect((await report(id)).get('C1V1')?.steps).toMatchObject({
    restore: { openingPct: 35, state: 'confirmed' },
  })
}, 120_000)

test('an exercise that is cancelled while its valves are restored restores all of them', async () => {
  const { id } = await startUntil('close')
  await runStep()
  // Nothing can be sent: the commands of the last step wait.
  for (const gateway of ['C1', 'C2']) bench.broker.gone.add(gateway)
  await expect
    .poll(async () => {
      await runExercises(needs)
      return (await report(id)).get('C1V1')?.steps
    }, WAIT)
    .toHaveProperty('restore')
  expect(await exercises.cancel(call(), id)).toMatchObject({ state: 'cancelling', step: 'restore' })
  bench.broker.gone.clear()
  await expect
    .poll(async () => {
      await runStep()
      return read(id)
    }, WAIT)
    .toMatchObject({ state: 'cancelled' })
  const rows = await report(id)
  expect(VALVES.map((imei) => rows.get(imei)?.steps.restore)).toEqual(
    VALVES.map(() => expect.objectContaining({ openingPct: 35, state: 'confirmed' })),
  )
}, 120_000)

test('a valve takes part in one exercise at a time; if its account lost access, no valve moves', async () => {
  const { id } = await start()
  await expect(start()).rejects.toMatchObject({ code: 'exercise.running' })
  await expect
    .poll(async () => {
      await runExercises({ ...needs, findAccess: async () => undefined })
      return read(id)
    }, WAIT)
    .toMatchObject({ state: 'stopped', stop: 'no-access' })
  expect(bench.published).toEqual([])
  expect((await exercises.listValves(call().caller, { id, outcome: 'interrupted', limiter })).total).toBe(4)
  irrigating = new Set([...VALVES, 'S1'].map(bench.idOf))
  await expect(start()).rejects.toMatchObject({ code: 'exercise.no-valves' })
})
