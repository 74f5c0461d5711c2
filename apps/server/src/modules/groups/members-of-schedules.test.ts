import { setGroupSchedule } from '@isotherm/contract/endpoints/control/group-schedules'
import {
  deviceGroup,
  insertCtlGroup,
  updateCtlGroup,
} from '@isotherm/contract/endpoints/devices/device-groups'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.testkit.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const logIn = async (
  account: string,
  permissions: readonly ('pg-groupmanage' | 'pg-groupctl' | 'pe-fmcontrol')[],
) => {
  await server.createAccount(account, permissions, ['p'])
  return (await server.logIn(account))['ht-api']
}

test('only who may control valves changes which valves an enabled schedule moves', async () => {
  const keeper = await logIn('keeper', ['pg-groupmanage'])
  const dispatcher = await logIn('dispatcher2', ['pg-groupmanage', 'pg-groupctl', 'pe-fmcontrol'])
  const [first, second] = [await server.deviceId('V-b2u1'), await server.deviceId('V-b2u2')]
  const added = await server.call(insertCtlGroup, { name: '定时组', deviceIds: [first] }, keeper)
  const { id, version: firstVersion } = deviceGroup.parse(added.data)
  let version = firstVersion
  const change = async (token: string, changed: object) => {
    const { code, data } = await server.call(updateCtlGroup, { id, version, ...changed }, token)
    if (code === undefined) version = deviceGroup.parse(data).version
    return code
  }
  const orders = [{ days: [0], minute: 390, openingPct: 60 }]
  const enable = (schedule: number, enabled: boolean) =>
    server.call(setGroupSchedule, { groupId: id, version: schedule, enabled, orders }, dispatcher)

  expect((await enable(0, true)).code).toBeUndefined()
  expect(await change(keeper, { deviceIds: [first, second] })).toBe('device-group.scheduled')
  expect(await change(keeper, { description: '东区' })).toBeUndefined()
  expect(await change(dispatcher, { deviceIds: [first, second] })).toBeUndefined()
  expect((await enable(1, false)).code).toBeUndefined()
  expect(await change(keeper, { deviceIds: [first] })).toBeUndefined()
})
