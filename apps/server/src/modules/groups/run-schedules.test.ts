import { permissions } from '@isotherm/contract/access/permissions'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestCall } from '../../platform/http/call.testkit.ts'
import { migratePostgres } from '../../platform/lifecycle/migrate.pg.ts'
import { createLog } from '../../platform/log.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import { currentCaller, runAsCaller } from '../../platform/tasks/current-caller.ts'
import { type CommandsBench, startCommandsBench } from '../commands/commands.testkit.ts'
import type { Commands } from '../commands/index.ts'
import { groupsMigrations } from './migrations.pg.ts'
import { runSchedules, type ScheduleRunnerNeeds } from './run-schedules.ts'
import { createSchedulesService, type SchedulesService } from './service.ts'

const log = createLog({ logLevel: 'silent' })
const everything = { companyId: undefined, permissions: new Set(permissions), scope: scopeOfEverything }

let bench: CommandsBench
let commands: Commands
let schedules: SchedulesService
let needs: ScheduleRunnerNeeds
let accountId: number
let groupId: number
let groups: CommandsBench['registered']['groups']

const caller = () => createTestCall({ accountId, account: 'wang', ...everything })

beforeAll(async () => {
  bench = await startCommandsBench()
  await migratePostgres(bench.db, [groupsMigrations], log)
  commands = await bench.start()
  const { db, clock } = bench
  groups = bench.registered.groups
  schedules = createSchedulesService({ db, clock, groups, wake: () => {} })
  needs = { db, clock, log, groups, commands: commands.service, findAccess: async () => everything }
  const company = await db.selectFrom('company').select('id').executeTakeFirstOrThrow()
  const account = await db
    .insertInto('account')
    .values({
      account: 'wang',
      name: '王',
      password_hash: '',
      p_account: '',
      kind: 'company',
      company_id: company.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  accountId = account.id
  const deviceIds = ['V1', 'V2'].map(bench.idOf)
  groupId = (await groups.add(caller(), { name: '两阀', description: '', deviceIds })).id
})
afterAll(async () => {
  await commands.close()
  await bench.close()
})
beforeEach(async () => {
  await bench.clear()
  await bench.db.deleteFrom('group_schedule').execute()
})

/** Minute of the day and weekday (0 is Monday) in Shanghai. */
function toLocal(at: number): { readonly day: number; readonly minute: number } {
  const local = at + 8 * HOUR_MS
  return {
    day: (Math.floor(local / DAY_MS) + 3) % 7,
    minute: Math.floor((local % DAY_MS) / MINUTE_MS),
  }
}

/** A schedule with one order, a few minutes from now. */
async function setSoon(openingPct = 60) {
  const { day, minute } = toLocal(bench.clock.now() + 5 * MINUTE_MS)
  const orders = [{ days: [day], minute, openingPct }]
  return schedules.set(caller(), { groupId, version: 0, enabled: true, orders })
}
const listSent = async () =>
  (await commands.batches.list(caller().caller, { nodes: [], limiter: { page: 1, size: 10 } })).datalist
const readLast = async () => (await schedules.get(caller().caller, groupId)).last

test('an order is sent once when it is due, by whichever replica, with the priority of schedules', async () => {
  const { next } = await setSoon()
  expect(next[0]).toMatchObject({ openingPct: 60 })
  await runSchedules(needs)
  expect(await listSent()).toEqual([])
  bench.clock.shiftMs = 6 * MINUTE_MS
  await Promise.all([runSchedules(needs), runSchedules(needs)])
  await runSchedules(needs)
  expect(await listSent()).toMatchObject([{ total: 2, priority: 'schedule', actor: 'wang', reason: '两阀' }])
  expect(await readLast()).toMatchObject({ at: next[0]?.at, openingPct: 60, outcome: 'sent', leftOut: 0 })
  expect((await schedules.get(caller().caller, groupId)).next[0]?.at).toBe((next[0]?.at ?? 0) + 7 * DAY_MS)
})

test('a valve that is held by hand is left out, the others move', async () => {
  await commands.service.send(caller(), {
    targets: [{ deviceId: bench.idOf('V1'), openingPct: 50 }],
    reason: '保持',
    holdUntil: bench.clock.now() + HOUR_MS,
  })
  await setSoon()
  bench.clock.shiftMs = 6 * MINUTE_MS
  await runSchedules(needs)
  expect((await listSent())[0]).toMatchObject({ total: 1, priority: 'schedule' })
  expect(await readLast()).toMatchObject({ outcome: 'sent', leftOut: 1 })
})

test('after a pause of the server only the newest order is sent, and none that is too old', async () => {
  const now = bench.clock.now()
  const orders = [5, 10].map((minutes) => {
    const { day, minute } = toLocal(now + minutes * MINUTE_MS)
    return { days: [day], minute, openingPct: 40 + minutes }
  })
  await schedules.set(caller(), { groupId, version: 0, enabled: true, orders })
  bench.clock.shiftMs = 15 * MINUTE_MS
  await runSchedules(needs)
  expect(await readLast()).toMatchObject({ openingPct: 50, outcome: 'sent' })
  expect(await listSent()).toHaveLength(1)
  bench.clock.shiftMs = 8 * DAY_MS
  await runSchedules(needs)
  expect(await readLast()).toMatchObject({ openingPct: 50, outcome: 'too-late' })
  expect(await listSent()).toHaveLength(1)
})

test('without access of its account, or switched off, nothing is sent', async () => {
  const { version, orders } = await setSoon()
  bench.clock.shiftMs = 6 * MINUTE_MS
  await runSchedules({ ...needs, findAccess: async () => undefined })
  expect(await readLast()).toMatchObject({ outcome: 'no-access' })
  await schedules.set(caller(), { groupId, version, enabled: false, orders })
  bench.clock.shiftMs = 7 * DAY_MS + 6 * MINUTE_MS
  await runSchedules(needs)
  expect(await listSent()).toEqual([])
})

test('a schedule that fails holds up no other, and runs in the name of nobody who called', async () => {
  const other = await groups.add(caller(), { name: '一阀', description: '', deviceIds: [bench.idOf('V1')] })
  const { day, minute } = toLocal(bench.clock.now() + 4 * MINUTE_MS)
  const orders = [{ days: [day], minute, openingPct: 30 }]
  await schedules.set(caller(), { groupId: other.id, version: 0, enabled: true, orders })
  await setSoon()
  bench.clock.shiftMs = 6 * MINUTE_MS
  const names = new Set<string>()
  const getValves: ScheduleRunnerNeeds['groups']['getValves'] = async (caller, id) => {
    names.add(currentCaller())
    if (id === other.id) throw new Error('it fails')
    return groups.getValves(caller, id)
  }
  await runAsCaller('li', () => runSchedules({ ...needs, groups: { getValves } }))
  expect(await listSent()).toMatchObject([{ total: 2, reason: '两阀' }])
  expect(names.size).toBe(2)
  expect(names).not.toContain('li')
})

test('a schedule is changed only from the version that the user saw', async () => {
  const { version, orders } = await setSoon()
  await schedules.set(caller(), {
    groupId,
    version,
    enabled: true,
    orders: orders.map((order) => ({ ...order, openingPct: 45 })),
  })
  await expect(schedules.set(caller(), { groupId, version, enabled: true, orders })).rejects.toMatchObject({
    code: 'entity.stale',
  })
})
