import type { CommandPriority } from '@isotherm/contract/command'
import { toAddressKey } from '@isotherm/contract/tree'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import { createTestOperation } from '../../../platform/operation/operation.testkit.ts'
import {
  type CommandsBench,
  createWideRegistry,
  dispatcher,
  startCommandsBench,
  toDispatch,
} from '../commands.testkit.ts'
import type { Commands } from '../index.ts'
import { setLimits } from './limits-of-nodes.pg.ts'
import { checkNetworkLimits } from './network-limits.pg.ts'

let bench: CommandsBench
let commands: Commands
/** Keys of the building with all valves, and of the area it is in. */
let building: string
let area: string

const keyOf = async (key: string): Promise<string> => {
  const found = bench.db.selectFrom('node').select(['id', 'uuid']).where('key', '=', key)
  const { id, uuid } = await found.executeTakeFirstOrThrow()
  return uuid ?? String(id)
}

beforeAll(async () => {
  bench = await startCommandsBench(createWideRegistry(2, 2))
  building = await keyOf('n6')
  area = await keyOf('n5')
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.broker.isAway = true
  await bench.empty()
  await bench.db
    .updateTable('device')
    .set({ last_open_set_pct: 50, last_open_set_at: new Date(0) })
    .where('kind', '=', 'valve')
    .execute()
  commands = await bench.start()
})
afterEach(() => commands.close())

const sendOrder = (openings: Readonly<Record<string, number>>, priority: CommandPriority = 'manual') =>
  commands.service.send(toDispatch(), {
    targets: bench.toTargets(openings),
    reason: 'test',
    priority,
  })

async function set(
  node: string,
  limits: { minOpeningPct?: number; maxStepPct?: number; minTotalPct?: number },
) {
  const [{ version } = { version: 0 }] = await commands.holds.listLimits(dispatcher, [node])
  return commands.holds.setLimits(toDispatch(), { node, version, ...limits })
}

test('limits can be set, read and removed, and each change is recorded', async () => {
  expect(await set(building, { maxStepPct: 20 })).toEqual({
    node: building,
    version: 1,
    maxStepPct: 20,
    abilities: [],
  })
  expect(await set(building, { minTotalPct: 30 })).toEqual({
    node: building,
    version: 2,
    minTotalPct: 30,
    abilities: [],
  })
  expect(await set(building, { minTotalPct: 30 })).toMatchObject({ version: 2 })
  expect(await commands.holds.listLimits(dispatcher, [area, building])).toEqual([
    { node: area, version: 0, abilities: [] },
    { node: building, version: 2, minTotalPct: 30, abilities: [] },
  ])
  expect(await set(building, {})).toEqual({ node: building, version: 3, abilities: [] })
  const changes = bench.db.selectFrom('operation_change').where('entity', '=', 'control-limit').orderBy('id')
  const noted = await changes.select(['action', 'before', 'after']).execute()
  expect(noted.map(({ action }) => action)).toEqual(['added', 'changed', 'changed'])
  expect(noted[1]).toMatchObject({
    before: { max_step_pct: 20, min_total_pct: null },
    after: { max_step_pct: null, min_total_pct: 30 },
  })
})

test('L8: limits can be set on a node that is granted as a whole, and not on a node above it', async () => {
  const found = bench.db.selectFrom('node').select('path').where('key', '=', 'n6')
  const { path } = await found.executeTakeFirstOrThrow()
  const scope = { kind: 'paths', paths: [path] } as const
  const planner = { ...dispatcher, permissions: new Set(['ps-oraigionsys'] as const), scope }
  const listAbilities = async (caller: Caller) =>
    (await commands.holds.listLimits(caller, [area, building])).map(({ abilities }) => abilities)
  expect(await listAbilities(planner)).toEqual([[], ['set']])
  expect(await listAbilities({ ...dispatcher, scope })).toEqual([[], []])
  const setOn = (node: string) =>
    commands.holds.setLimits({ ...toDispatch(), caller: planner }, { node, version: 0, maxStepPct: 20 })
  // A key of the area resolves to the granted building below it, but its limits must not be set on that building.
  await expect(setOn(area)).rejects.toMatchObject({ code: 'node.not-found' })
  expect(await bench.db.selectFrom('control_limit').select('node_id').execute()).toEqual([])
  expect(await setOn(building)).toMatchObject({ version: 1, maxStepPct: 20, abilities: ['set'] })
})

test('L7: limits can be changed only from their current version, also if there are none', async () => {
  const setAs = (version: number, maxStepPct: number) =>
    commands.holds.setLimits(toDispatch(), { node: building, version, maxStepPct })
  const both = await Promise.allSettled([setAs(0, 10), setAs(0, 20)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(setAs(0, 30)).rejects.toMatchObject({
    code: 'entity.stale',
    params: { what: 'control-limit', fields: expect.stringContaining('maxStepPct') },
  })
  await set(building, {})
  // Removed limits have a version, unlike limits that were never set.
  await expect(setAs(0, 30)).rejects.toMatchObject({ code: 'entity.stale' })
  expect(await setAs(2, 30)).toMatchObject({ version: 3, maxStepPct: 30 })
})

test('L1: the error names every valve outside of the limits, with the strictest limit above it', async () => {
  await set(area, { minOpeningPct: 20, maxStepPct: 30 })
  await set(building, { minOpeningPct: 40 })
  await expect(sendOrder({ C1V1: 15, C1V2: 30, C2V1: 45, C2V2: 85 })).rejects.toMatchObject({
    code: 'command.outside-limits',
    params: { count: 3, devices: 'C1V1 (≥ 40 %), C1V2 (≥ 40 %), C2V2 (50 % ± 30 %)' },
  })
  expect(await commands.countOpen()).toEqual(new Map())
  expect((await sendOrder({ C1V2: 40, C2V1: 45, C2V2: 80 })).batch.total).toBe(3)
})

test('L2: the average opening below a node never falls below its limit, also with two concurrent orders', async () => {
  await set(building, { minTotalPct: 40 })
  // Five valves are at 50 % each; S1 is in the building too.
  await expect(sendOrder({ C1V1: 10, C1V2: 10 })).rejects.toMatchObject({
    code: 'command.total-too-low',
    params: { totalPct: 34, minTotalPct: 40 },
  })
  const both = await Promise.allSettled([sendOrder({ C1V1: 10 }), sendOrder({ C2V1: 10 })])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('L6: the openings of valves outside of the grants are not revealed', async () => {
  await set(building, { minTotalPct: 40 })
  const found = bench.db.selectFrom('device').innerJoin('node', 'node.id', 'node_id').select('path')
  const { path } = await found.where('serial', '=', 'C1V1').executeTakeFirstOrThrow()
  const call = toDispatch()
  const caller = { ...call.caller, scope: { kind: 'paths', paths: [path] } as const }
  const targets = bench.toTargets({ C1V1: 10, C1V2: 10 })
  await expect(commands.service.send({ ...call, caller }, { targets, reason: '' })).rejects.toMatchObject({
    code: 'command.total-too-low',
    params: { totalPct: '…', minTotalPct: 40 },
  })
})

test('L5: a batch that is concurrent with a change of limits is checked against the new limits', async () => {
  await set(building, { minOpeningPct: 20 })
  const [path] = (await bench.db.selectFrom('node').select('path').where('key', '=', 'n6').execute()).map(
    (node) => node.path,
  )
  const given = await operate(bench.db, createTestOperation(), async (transaction) => {
    await setLimits(transaction, path ?? '', { minOpeningPct: 40 }, 1)
    const waiting = sendOrder({ C1V1: 30 }).catch((error: unknown) => error)
    const countWaiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
          and query like '%control_limit%'`.execute(bench.db)
      return rows[0]?.count
    }
    await expect.poll(countWaiting).toBe(1)
    return () => waiting
  })
  expect(await given()).toMatchObject({
    code: 'command.outside-limits',
    params: { devices: 'C1V1 (≥ 40 %)' },
  })
})

test('L3: an order that opens valves is not refused because they are still below the limit', async () => {
  await sendOrder({ C1V1: 10, C1V2: 10, C2V1: 10, C2V2: 10 })
  await set(building, { minTotalPct: 60 })
  expect((await sendOrder({ C1V1: 30 })).batch.total).toBe(1)
  await expect(sendOrder({ C1V1: 20 })).rejects.toMatchObject({ code: 'command.total-too-low' })
})

test('L4: the step limit does not apply to an emergency; the lowest opening does', async () => {
  await set(building, { maxStepPct: 10, minOpeningPct: 20 })
  await expect(sendOrder({ C1V1: 90 })).rejects.toMatchObject({ code: 'command.outside-limits' })
  expect((await sendOrder({ C1V1: 90 }, 'emergency')).batch).toMatchObject({
    total: 1,
    priority: 'emergency',
  })
  await expect(sendOrder({ C1V1: 15 }, 'emergency')).rejects.toMatchObject({ code: 'command.outside-limits' })
})

test('limits of a unit, a building and a neighbour unit are returned under their own keys', async () => {
  const [unit, neighbour] = ['1单元', '2单元'].map((name) => toAddressKey(building, 1, name))
  if (!unit || !neighbour) throw new Error('two were named')
  expect(await set(unit, { minOpeningPct: 30 })).toEqual({
    node: unit,
    version: 1,
    minOpeningPct: 30,
    abilities: [],
  })
  expect(await set(unit, { minOpeningPct: 40 })).toEqual({
    node: unit,
    version: 2,
    minOpeningPct: 40,
    abilities: [],
  })
  expect(await set(building, { maxStepPct: 20 })).toEqual({
    node: building,
    version: 1,
    maxStepPct: 20,
    abilities: [],
  })
  expect(await commands.holds.listLimits(dispatcher, [building, neighbour, unit, area])).toEqual([
    { node: building, version: 1, maxStepPct: 20, abilities: [] },
    { node: neighbour, version: 0, abilities: [] },
    { node: unit, version: 2, minOpeningPct: 40, abilities: [] },
    { node: area, version: 0, abilities: [] },
  ])
})

test('batches do not wait for each other below a node whose limits were removed', async () => {
  await set(building, { minTotalPct: 20 })
  await set(building, {})
  const { scope } = dispatcher
  const setpoint = { deviceId: bench.idOf('C1V1'), openingPct: 45 }
  const one = {
    id: 'one',
    queueId: 1,
    sleeps: false,
    previousPct: 50,
    expiresAt: 1,
    hasDefaultValidity: false,
  }
  await bench.db.transaction().execute(async (transaction) => {
    await checkNetworkLimits(transaction, { priority: 'manual', scope }, [{ ...one, ...setpoint }], () => 50)
    const { rows } = await sql<{ nodeId: number }>`
      select node_id as "nodeId" from control_limit for update skip locked`.execute(bench.db)
    expect(rows).toHaveLength(1)
  })
})
