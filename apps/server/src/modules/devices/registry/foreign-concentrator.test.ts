import { permissions } from '@isotherm/contract/access/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCall } from '../../../platform/http/call.testkit.ts'
import type { Call } from '../../../platform/http/call.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'

let core: TestCore
beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

const limiter = { page: 1, size: 100 }

async function listFirst(path: string) {
  const scope: Scope = { kind: 'paths', paths: [path] }
  const { datalist } = await core.devices.service.listDevices(scope, [path], ['valve'], limiter)
  return datalist[0]
}

test('only callers who are granted a concentrator see it on its devices', async () => {
  const id = await core.deviceId('C-b3')
  expect(await listFirst(await core.pathOf('b3'))).toMatchObject({ concentrator: 'C-b3', concentratorId: id })
  const seen = await listFirst(await core.pathOf('b3u1'))
  expect(seen?.imei).toBe('V-b3u1')
  expect(seen).not.toHaveProperty('concentrator')
  expect(seen).not.toHaveProperty('concentratorId')
})

async function granted(...keys: string[]): Promise<Call> {
  const scope: Scope = { kind: 'paths', paths: await Promise.all(keys.map(core.pathOf)) }
  return createTestCall({ permissions: new Set(permissions), companyId: 1, scope })
}

test('the answer of a change hides a foreign concentrator too', async () => {
  const id = await core.deviceId('V-b3u1')
  const change = async (call: Call, name: string) => {
    const { version } = await core.devices.service.getDevice({ kind: 'all' }, id)
    return core.devices.changes.changeOne(call, { id, version }, { name })
  }
  const seen = await change(await granted('b3u1'), '改一')
  expect(seen.name).toBe('改一')
  expect(seen).not.toHaveProperty('concentrator')
  expect(seen).not.toHaveProperty('concentratorId')
  expect(await change(await granted('b3'), '改二')).toMatchObject({ concentrator: 'C-b3' })
  const { version } = await core.devices.service.getDevice({ kind: 'all' }, id)
  const replaced = await core.devices.changes.replace(await granted('b3u1'), { id, version, imei: 'V-new' })
  expect(replaced.device.imei).toBe('V-new')
  expect(JSON.stringify(replaced)).not.toMatch(/C-b3|concentrator/)
  const whole = await core.devices.service.getDevice({ kind: 'all' }, replaced.device.id)
  expect(whole.concentrator).toBe('C-b3')
})
