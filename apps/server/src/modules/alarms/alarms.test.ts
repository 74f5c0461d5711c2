import { alarmKinds } from '@isotherm/contract/alarms/alarm-kinds'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AlarmsBench, everyAlarm, firstPage, startAlarmsBench } from './alarms.testkit.ts'

let bench: AlarmsBench

beforeAll(async () => {
  bench = await startAlarmsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())
afterEach(() => bench.stop())

/** Includes refused operations. */
const attempt = async (act: () => Promise<unknown>): Promise<unknown> => act()

test('A9: delays and alarms continue after a restart', async () => {
  const first = await bench.start()
  bench.read(first, 'R-b2u1', { 'temp.room': 15 })
  bench.setPresence(first, 'silent', ['V-b2u1'])
  bench.pass(600)
  await first.close()
  const second = await bench.start(new Set([bench.idOf('V-b2u1')]))
  bench.pass(3_000, 60_000)
  bench.read(second, 'R-b2u1', { 'temp.room': 15 })
  await bench.becomes(['device-silent V-b2u1 active', 'room-cold R-b2u1 active'])
  await second.close()
  // Meanwhile the valve reports again.
  const third = await bench.start()
  bench.read(third, 'R-b2u1', { 'temp.room': 20 })
  bench.pass(900)
  bench.read(third, 'R-b2u1', { 'temp.room': 20 })
  await bench.becomes(['device-silent V-b2u1 cleared', 'room-cold R-b2u1 cleared'])
})

test('A9: the time without a server does not count for a delay that ends by the clock, after one restart or two', async () => {
  const hour = HOUR_MS
  const serials = ['V-b2u1', 'V-b3u1']
  const silent = new Set(serials.map(bench.idOf))
  const first = await bench.start()
  bench.setPresence(first, 'silent', serials)
  bench.pass(600)
  await first.close()
  bench.clock.advance(hour)
  const second = await bench.start(silent, hour)
  bench.pass(120)
  await second.close()
  bench.clock.advance(hour)
  const third = await bench.start(silent, hour)
  // A device that returned without a server running reports now.
  bench.setPresence(third, 'present', ['V-b3u1'])
  bench.pass(120)
  await third.close()
  expect(await bench.list()).toEqual([])
  await bench.start(silent)
  bench.pass(120)
  await bench.becomes(['device-silent V-b2u1 active'])
})

test('A8: several replicas raise one alarm, which returns as the same alarm until it is acknowledged', async () => {
  const first = await bench.start()
  const replicas = [first, await bench.start()]
  for (const alarms of replicas) bench.read(alarms, 'R-b2u1', { 'temp.room': 15 })
  bench.pass(3_600, 60_000)
  for (const alarms of replicas) bench.read(alarms, 'R-b2u1', { 'temp.room': 15 })
  await bench.becomes(['room-cold R-b2u1 active'])
  for (const alarms of replicas) bench.read(alarms, 'R-b2u1', { 'temp.room': 20 })
  bench.pass(900)
  for (const alarms of replicas) bench.read(alarms, 'R-b2u1', { 'temp.room': 20 })
  await bench.becomes(['room-cold R-b2u1 cleared'])
  for (const alarms of replicas) await bench.makeCold(alarms, 'R-b2u1')
  await bench.becomes(['room-cold R-b2u1 active'])
  const { datalist } = await first.handlers.getAlarms(everyAlarm, bench.toCall())
  expect(datalist).toMatchObject([
    { kind: 'room-cold', occurrences: 2, value: 15, imei: 'R-b2u1', state: 'active' },
  ])
})

test('an action is visible to other users, and an action on an old version is rejected as stale', async () => {
  const alarms = await bench.start()
  await bench.makeCold(alarms, 'R-b2u1')
  await bench.becomes(['room-cold R-b2u1 active'])
  const { editAlarm, getAlarms } = alarms.handlers
  const [alarm] = (await getAlarms(everyAlarm, bench.toCall())).datalist
  if (!alarm) throw new Error('no alarm')
  expect(alarm.abilities).toEqual(['acknowledge', 'assign', 'comment', 'close'])
  await bench.createAccount('maintainer', [], ['p'])
  const { id, version } = alarm
  const known = await editAlarm(
    { id, version, acknowledge: true, assignee: 'maintainer', comment: '去看看' },
    bench.toCall(),
  )
  expect(known).toMatchObject({
    state: 'active-acknowledged',
    acknowledgedBy: 'handler',
    assignee: 'maintainer',
    comment: '去看看',
    abilities: ['assign', 'comment', 'close'],
  })
  await expect(editAlarm({ id, version, comment: 'x' }, bench.toCall())).rejects.toMatchObject({
    code: 'entity.stale',
    params: { by: 'handler' },
  })
  await expect(
    editAlarm({ id, version: known.version, assignee: 'nobody-here' }, bench.toCall()),
  ).rejects.toMatchObject({ code: 'account.not-found' })
  // Acknowledged and over: it ends, and allows no more actions.
  bench.read(alarms, 'R-b2u1', { 'temp.room': 20 })
  bench.pass(900)
  bench.read(alarms, 'R-b2u1', { 'temp.room': 20 })
  await bench.becomes(['room-cold R-b2u1 ended'])
  await expect(editAlarm({ id, version: known.version, close: true }, bench.toCall())).rejects.toMatchObject({
    code: 'alarm.ended',
  })
})

test('the service desk can read alarms and not act on them', async () => {
  const alarms = await bench.start()
  await bench.makeCold(alarms, 'R-b2u1')
  await bench.becomes(['room-cold R-b2u1 active'])
  const { editAlarm, editAlarms, getAlarms } = alarms.handlers
  const desk = () => bench.toCall({ kind: 'all' }, ['pr-rtalarm', 'pr-rtreal', 'pc-caldata'])
  const [alarm] = (await getAlarms(everyAlarm, desk())).datalist
  if (!alarm) throw new Error('no alarm')
  expect(alarm.abilities).toEqual([])
  const { id, version } = alarm
  for (const act of [
    () => editAlarm({ id, version, acknowledge: true }, desk()),
    // Control of devices without the alarm page gives no access either.
    () => editAlarm({ id, version, acknowledge: true }, bench.toCall({ kind: 'all' }, ['pe-fmcontrol'])),
    () => editAlarms({ nodes: ['-1'], filter: [], suppressed: false, close: true }, desk()),
  ]) {
    await expect(attempt(act)).rejects.toMatchObject({ code: 'access.denied' })
  }
})

test('A11: an action on a filter applies to all matches within the grants, together with the operation log', async () => {
  const alarms = await bench.start()
  const rooms = ['R-b2u1', 'R-b2u2', 'R-b10u1', 'R-b3u1']
  for (const room of rooms) bench.read(alarms, room, { 'temp.room': 15, 'bat.v': 3.5 })
  bench.pass(3_600, 60_000)
  for (const room of rooms) bench.read(alarms, room, { 'temp.room': 15 })
  await bench.becomes(rooms.map((room) => `room-cold ${room} active`))
  const { editAlarms, countAlarms } = alarms.handlers
  const scope = { kind: 'paths', paths: [await bench.pathOf('a1')] } as const
  const call = {
    ...bench.toCall(scope),
    operation: { ...bench.toCall(scope).operation, endpoint: 'editAlarms' },
  }
  const filter = [{ field: 'imei', cond: 'like' as const, vstd: 'b2' }]
  const done = await editAlarms(
    { nodes: [await bench.nodeKey('p')], filter, suppressed: false, acknowledge: true, comment: '同一处' },
    call,
  )
  expect(done).toEqual({ affected: 2 })
  expect(await bench.list()).toEqual([
    'room-cold R-b10u1 active',
    'room-cold R-b2u1 active-acknowledged',
    'room-cold R-b2u2 active-acknowledged',
    'room-cold R-b3u1 active',
  ])
  const { rows } = await sql<{ account: string; after: Record<string, unknown> }>`
    select operation.account, change.after from operation
    join operation_change change on change.operation_id = operation.id
    where operation.endpoint = 'editAlarms' and change.entity = 'alarm' order by change.id`.execute(bench.db)
  expect(rows.filter(({ after }) => after.acknowledged_by === 'handler')).toHaveLength(2)
  // All remaining alarms within the grants, without the other station.
  const closed = await editAlarms(
    { nodes: ['-1'], filter: [], suppressed: false, close: true },
    bench.toCall(scope),
  )
  expect(closed).toEqual({ affected: 3 })
  const { bySeverity } = await countAlarms({ nodes: [] }, bench.toCall())
  expect(bySeverity.find(({ severity }) => severity === 'minor')).toEqual({
    severity: 'minor',
    active: 1,
    unacknowledged: 1,
    total: 1,
  })
})

test('A5: a silent concentrator suppresses the open alarms of its devices, and they are shown again afterwards', async () => {
  const alarms = await bench.start()
  await bench.makeCold(alarms, 'R-b2u1')
  await bench.becomes(['room-cold R-b2u1 active'])
  bench.setPresence(alarms, 'silent', ['C-b2'])
  bench.setPresence(alarms, 'unknown', ['R-b2u1', 'R-b2u2', 'V-b2u1', 'V-b2u2'])
  bench.pass(900)
  await bench.becomes(['room-cold R-b2u1 active behind', 'concentrator-silent C-b2 active'])
  const { getAlarms, countAlarms, editAlarm } = alarms.handlers
  const shown = await getAlarms(everyAlarm, bench.toCall())
  expect(shown.datalist.map(({ kind }) => kind)).toEqual(['concentrator-silent'])
  const suppressedAlso = await getAlarms({ ...everyAlarm, suppressed: true }, bench.toCall())
  expect(suppressedAlso).toMatchObject({
    total: 2,
    datalist: [{}, { kind: 'room-cold', suppressedBy: shown.datalist[0]?.id }],
  })
  expect(await countAlarms({ nodes: [] }, bench.toCall())).toMatchObject({ suppressed: 1, silenced: 0 })
  // Each alarm has the number of visible alarms that it suppresses; they can be requested.
  expect(suppressedAlso.datalist.map(({ suppresses }) => suppresses)).toEqual([1, 0])
  const [hiding] = shown.datalist
  const filter = [{ field: 'suppressedBy', cond: 'eq' as const, vstd: hiding?.id ?? 0 }]
  const behind = await getAlarms({ ...everyAlarm, filter, suppressed: true }, bench.toCall())
  expect(behind.datalist.map(({ kind }) => kind)).toEqual(['room-cold'])
  const { deviceId } = hiding ?? {}
  if (deviceId === undefined) throw new Error('no concentrator')
  const narrow = { kind: 'paths', paths: [`${await bench.pathOf('b2')}d${deviceId}/`] } as const
  const alone = await getAlarms(everyAlarm, bench.toCall(narrow))
  expect(alone.datalist).toMatchObject([{ kind: 'concentrator-silent', suppresses: 0 }])
  // A closed alarm suppresses nothing.
  const [cause] = shown.datalist
  if (!cause) throw new Error('no cause')
  await editAlarm({ id: cause.id, version: cause.version, close: true }, bench.toCall())
  expect(await bench.list()).toEqual(['concentrator-silent C-b2 ended', 'room-cold R-b2u1 active'])
})

test('retiring a device withdraws its alarms', async () => {
  const alarms = await bench.start()
  await bench.makeCold(alarms, 'R-b3u2')
  await bench.becomes(['room-cold R-b3u2 active'])
  const id = bench.idOf('R-b3u2')
  await sql`update device set retired_at = now() where id = ${id}`.execute(bench.db)
  await bench.signals.send('registry_changed', `ids:${id}`)
  await bench.becomes(['room-cold R-b3u2 ended'])
  await sql`update device set retired_at = null where id = ${id}`.execute(bench.db)
  await bench.signals.send('registry_changed', `ids:${id}`)
  await expect.poll(() => bench.devices.directory.findById(id)).toBeDefined()
})

test('A7: a rule applies from its creation until its removal', async () => {
  const alarms = await bench.start()
  const { addAlarmRule, deleteAlarmRules, getAlarmRules, editAlarmRule } = alarms.handlers
  const rule = { ...alarmKinds['room-cold'].standard, raiseAt: 21, clearAt: 21, raiseAfterS: 0 }
  const node = await bench.nodeKey('b2')
  await expect(
    attempt(() => addAlarmRule({ kind: 'room-cold', node, deviceKinds: ['valve'], ...rule }, bench.toCall())),
  ).rejects.toMatchObject({ code: 'request.malformed' })
  await expect(
    addAlarmRule({ kind: 'room-cold', node, deviceKinds: [], ...rule, clearAt: 20 }, bench.toCall()),
  ).rejects.toMatchObject({ code: 'request.malformed' })
  const added = await addAlarmRule({ kind: 'room-cold', node, deviceKinds: [], ...rule }, bench.toCall())
  expect(added).toMatchObject({
    node,
    nestaddr: expect.stringContaining('二号楼'),
    abilities: ['edit', 'remove'],
  })
  await expect
    .poll(() => {
      bench.read(alarms, 'R-b2u1', { 'temp.room': 20 })
      bench.read(alarms, 'R-b10u1', { 'temp.room': 20 })
      bench.pass(2)
      return bench.list()
    })
    .toEqual(['room-cold R-b2u1 active'])
  const { total } = await getAlarmRules(
    { nodes: [await bench.nodeKey('b2')], filter: [], limiter: firstPage },
    bench.toCall(),
  )
  expect(total).toBe(1)
  // A disabled rule clears its alarms.
  const { id, version, kind: _, node: _node, nestaddr: _addr, abilities: _abilities, ...settings } = added
  const changed = await editAlarmRule({ id, version, ...settings, enabled: false }, bench.toCall())
  await bench.becomes(['room-cold R-b2u1 cleared'])
  expect(await deleteAlarmRules({ items: [{ id, version: changed.version }] }, bench.toCall())).toEqual({
    ids: [id],
  })
})
