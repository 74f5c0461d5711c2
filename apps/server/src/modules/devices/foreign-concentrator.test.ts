import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCore, type TestCore } from '../../core.testkit.ts'
import type { Scope } from '../../platform/scope.ts'

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

test('a concentrator is told to whom it is granted and to nobody else', async () => {
  const id = await core.deviceId('C-b3')
  expect(await listFirst(await core.pathOf('b3'))).toMatchObject({ concentrator: 'C-b3', concentratorId: id })
  const seen = await listFirst(await core.pathOf('b3u1'))
  expect(seen?.imei).toBe('V-b3u1')
  expect(seen).not.toHaveProperty('concentrator')
  expect(seen).not.toHaveProperty('concentratorId')
})
