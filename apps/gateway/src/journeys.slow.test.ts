import { addApiKey } from '@isotherm/contract/endpoints/administration/api-keys'
import { setPumpHead } from '@isotherm/contract/endpoints/control/pumps'
import { setGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { simulateController } from './drivers/modbus-tcp/simulator.testkit.ts'
import { launchGateway } from './testing/gateway-process.testkit.ts'
import { type Journey, openJourney } from './testing/journey.testkit.ts'
import { GATEWAY } from './testing/whole-server.testkit.ts'

let journey: Journey

beforeAll(async () => {
  journey = await openJourney([{ serial: 'P1', kind: 'station' }])
})
afterAll(() => journey.server.close())
afterEach(() => journey.end())

test('modbus-tcp: connect, read, command, confirm, lose broker and controller, come back; nothing lost, nothing twice', async () => {
  const { server } = journey
  const controller = simulateController()
  const port = await controller.listen()
  journey.onEnd(controller.stop)
  for (const [register, value] of [75.5, 50.25, 0.62, 0.31, 120.5, 3510, -8.5, 62, 7.5, 76, 310].entries())
    controller.setFloat(2 * register, value)
  controller.setFloat(40, 310)
  const gateway = await journey.start({
    lines: [
      {
        driver: 'modbus-tcp',
        id: 'S1',
        host: '127.0.0.1',
        port,
        devices: [{ serial: 'P1', address: '1', profile: 'station-plc-modbus', pollPeriodS: 1 }],
      },
    ],
  })
  await expect.poll(async () => (await journey.stored('P1', 'temp.supply'))[0]?.value).toBe(75.5)

  const deviceId = await server.idOf('P1', journey.tokens())
  const { command } = await server.call(
    setPumpHead,
    { deviceId, headKpa: 290, reason: 'test' },
    journey.tokens(),
  )
  await expect.poll(() => controller.state.writes).toEqual([{ address: 40, value: 290 }])
  // The pump follows: supply 0.6 MPa, return 0.31 MPa.
  controller.setFloat(4, 0.6)
  await expect.poll(() => journey.stateOf(command.id)).toBe('confirmed')

  await server.kill()
  const before = gateway.health().queued
  await expect.poll(() => gateway.health().queued).toBeGreaterThan(before + 2)
  await controller.stop()
  await expect.poll(() => gateway.health().openLines).toBe(0)
  await server.restart()
  await journey.logIn()
  await controller.listen()
  await expect.poll(() => gateway.health().openLines).toBe(1)
  controller.setFloat(0, 80)
  await expect
    .poll(async () => (await journey.stored('P1', 'temp.supply')).at(-1)?.value, { timeout: 60_000 })
    .toBe(80)
  const readings = await journey.stored('P1', 'temp.supply')
  expect(readings.filter(({ rows }) => rows !== 1)).toEqual([])
  // One reading per period, and those that show the arrival after the command.
  expect(readings.length).toBeLessThanOrEqual(controller.state.reads / 2)
  expect(controller.state.writes).toEqual([{ address: 40, value: 290 }])
})

test('a gateway process gets its lines from the registry with an API key', async () => {
  const { server } = journey
  const admin = await server.logIn('admin')
  const id = await server.idOf(GATEWAY, admin)
  const controller = simulateController()
  const port = await controller.listen()
  journey.onEnd(controller.stop)
  controller.setFloat(12, -17.5)
  const device = { serial: 'P1', address: '1', profile: 'station-plc-modbus', pollPeriodS: 1 }
  const config = {
    v: 1,
    lines: [{ driver: 'modbus-tcp', id: 'S1', host: '127.0.0.1', port, devices: [device] }],
  }
  await server.call(setGatewayConfig, { id, version: 0, config }, admin)
  const { key } = await server.call(
    addApiKey,
    { name: 'gateway', permissions: ['pd-datadevmanager'], expiresAt: Date.now() + 86_400_000 },
    admin,
  )
  const gateway = await launchGateway(
    server,
    {},
    {
      ISOTHERM_GATEWAY_CONFIG: '',
      ISOTHERM_SERVER_URL: server.url(),
      ISOTHERM_API_KEY: key,
    },
  )
  journey.onEnd(gateway.close)
  await expect.poll(async () => (await journey.stored('P1', 'temp.outdoor')).at(-1)?.value).toBe(-17.5)
  // The health of the gateway is a reading of its concentrator.
  await expect.poll(async () => (await journey.stored(GATEWAY, 'gateway.offline')).at(-1)?.value).toBe(0)
})
