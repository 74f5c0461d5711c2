import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AlarmsBench, startAlarmsBench } from '../alarms.testkit.ts'
import type { Alarms } from '../index.ts'

let bench: AlarmsBench
let alarms: Alarms

beforeAll(async () => {
  bench = await startAlarmsBench()
  alarms = await bench.start()
  await bench.createAccount('of-building', [], ['b2'])
  await bench.createAccount('of-project', [], ['p'])
  await bench.createAccount('of-station-2', [], ['s2'])
  await bench.createAccount('of-device', [], [])
  await bench.createAccount('of-other', [], ['p'])
  await bench.createAccount('desk', [], [], 'provider')
  await bench.createAccount('desk-of-station-2', [], ['s2'], 'provider')
  await sql`
    with other as (
      insert into company (tenant, name, time_zone) values ('other', 'other', 'Asia/Shanghai') returning id),
    narrowed as (update account set sees_all = false where account = 'desk-of-station-2'),
    granted as (
      insert into account_device (account_id, device_id)
      select id, ${bench.idOf('R-b2u1')} from account where account = 'of-device')
    update account set company_id = other.id from other where account = 'of-other'`.execute(bench.db)
})
afterAll(() => bench.close())

async function raise(serial: string) {
  const { rows } = await sql<{ id: number; version: number }>`
    insert into alarm (company_id, kind, severity, device_id, path, raised_at)
    select company_id, 'room-cold', 'minor', id, '/', now() from device where id = ${bench.idOf(serial)}
    returning id, version`.execute(bench.db)
  const [alarm] = rows
  if (!alarm) throw new Error('no alarm')
  return alarm
}

test('an assignee needs access to the place: staff of the company or of the provider', async () => {
  let { id, version } = await raise('R-b2u1')
  const assign = async (assignee: string) =>
    alarms.handlers.editAlarm({ id, version, assignee }, bench.toCall())
  for (const account of ['of-building', 'of-project', 'of-device', 'desk']) {
    const assigned = await assign(account)
    expect(assigned.assignee).toBe(account)
    version = assigned.version
  }
  for (const account of ['of-station-2', 'of-other', 'desk-of-station-2', 'nobody']) {
    await expect(assign(account), account).rejects.toMatchObject({ code: 'account.not-found' })
  }
  await sql`update account set enabled = false where account = 'of-building'`.execute(bench.db)
  await expect(assign('of-building')).rejects.toMatchObject({ code: 'account.not-found' })
  await sql`update account set enabled = true where account = 'of-building'`.execute(bench.db)
  const { rows } = await sql`select assignee from alarm where id = ${id}`.execute(bench.db)
  expect(rows).toEqual([{ assignee: 'desk' }])
  await sql`update alarm set state = 'ended'`.execute(bench.db)
})

test('alarms are assigned together only to an account with access to all of them', async () => {
  await raise('R-b2u1')
  await raise('R-b10u1')
  const assignAll = async (assignee: string) =>
    alarms.handlers.editAlarms(
      { nodes: [await bench.nodeKey('s1')], filter: [], suppressed: false, assignee },
      bench.toCall(),
    )
  await expect(assignAll('of-building')).rejects.toMatchObject({ code: 'account.not-found' })
  const open = () =>
    sql<{ assignee: string | null }>`select distinct assignee from alarm where state <> 'ended'`.execute(
      bench.db,
    )
  expect((await open()).rows).toEqual([{ assignee: null }])
  expect(await assignAll('of-project')).toEqual({ affected: 2 })
  expect((await open()).rows).toEqual([{ assignee: 'of-project' }])
})
