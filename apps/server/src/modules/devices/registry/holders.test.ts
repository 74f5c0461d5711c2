import { permissions } from '@isotherm/contract/access/permissions'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestCall } from '../../../platform/http/call.testkit.ts'
import type { Call } from '../../../platform/http/call.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'

let core: TestCore
let modelId: number
let count = 0

const byWhole = (): Call => createTestCall({ permissions: new Set(permissions) })

beforeAll(async () => {
  core = await createTestCore()
  const added = { kind: 'heat-meter', name: 'H1', maker: '', description: '' } as const
  modelId = (await core.devices.models.add(byWhole(), added)).id
})
afterAll(() => core.close())

async function add() {
  count += 1
  return core.devices.changes.add(byWhole(), {
    kind: 'heat-meter',
    imei: `E-${count}`,
    name: `热表${count}`,
    modelId,
    node: await core.nodeKey('b2'),
    periodS: 900,
    description: '',
  })
}
const never = async () => undefined
/** The error of a failed call; undefined if it succeeded. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    ({ code, params }: { code?: unknown; params?: unknown }) => ({ code, params }),
  )

const versionOf = async (table: 'account' | 'device_group', id: number) =>
  (await core.db.selectFrom(table).select('version').where('id', '=', id).executeTakeFirstOrThrow()).version

test('groups and accounts that held a replaced or removed device get a new version', async () => {
  const old = await add()
  const group = { name: '夜班', description: '', deviceIds: [old.id] }
  const { id: groupId } = await core.devices.groups.add(byWhole(), group)
  const accountId = await core.createAccount('night', [], [])
  await core.db.insertInto('account_device').values({ account_id: accountId, device_id: old.id }).execute()
  const versions = async () => [
    await versionOf('device_group', groupId),
    await versionOf('account', accountId),
  ]
  const [ofGroup = 0, ofAccount = 0] = await versions()
  const { device } = await core.devices.changes.replace(byWhole(), {
    id: old.id,
    version: old.version,
    imei: 'E-of-night',
  })
  expect(await versions()).toEqual([ofGroup + 1, ofAccount + 1])
  const mistaken = await add()
  const added = { ...group, name: '早班', deviceIds: [mistaken.id, device.id] }
  const second = await core.devices.groups.add(byWhole(), added)
  await core.devices.changes.remove(byWhole(), [mistaken], never)
  expect(await versionOf('device_group', second.id)).toBe(second.version + 1)
})

test('a retired device cannot join a group; one that is retired later stays in its groups', async () => {
  const device = await add()
  const group = { name: '老表', description: '', deviceIds: [device.id] }
  const { id, version } = await core.devices.groups.add(byWhole(), group)
  await core.devices.changes.changeOne(byWhole(), device, { use: 'retired' })
  const again = core.devices.groups.add(byWhole(), { ...group, name: '又一组' })
  expect(await errorOf(again)).toEqual({ code: 'device.retired', params: { device: device.name } })
  const renamed = await core.devices.groups.change(byWhole(), { ...group, id, version, name: '旧表' })
  expect(renamed).toMatchObject({ name: '旧表', deviceIds: [device.id] })
})

test('a change of a device that is moved meanwhile fails as stale, not as not-found', async () => {
  const device = await add()
  const { id: nodeId } = await core.db
    .selectFrom('node')
    .select('id')
    .where('path', '=', await core.pathOf('b3'))
    .executeTakeFirstOrThrow()
  const changing = await core.db.transaction().execute(async (moving) => {
    await moving.updateTable('device').set({ node_id: nodeId }).where('id', '=', device.id).execute()
    const outcome = errorOf(core.devices.changes.changeOne(byWhole(), device, { periodS: 60 }))
    await vi.waitFor(
      async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(core.db)
        expect(rows.length).toBeGreaterThan(0)
      },
      { timeout: 30_000 },
    )
    return { outcome }
  })
  expect(await changing.outcome).toMatchObject({ code: 'entity.stale' })
})
