import { publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { simulateUnit } from './drivers/dtu-tcp/simulator.testkit.ts'
import { simulateCjtMeter, simulateRtuDevice } from './field/simulated-devices.testkit.ts'
import { type Journey, openJourney } from './testing/journey.testkit.ts'

let journey: Journey

beforeEach(async () => {
  journey = await openJourney([
    { serial: 'M1', kind: 'heat-meter' },
    { serial: 'V1', kind: 'valve' },
  ])
})
afterEach(async () => {
  await journey.end()
  await journey.server.close()
})

test('dtu-tcp: connect, read, command, confirm, lose broker and line, come back; nothing lost, nothing twice', async () => {
  const { server } = journey
  const meter = simulateCjtMeter('00001112345678')
  // Register 100 is the target; the valve arrives in 101 after a while.
  const valve = simulateRtuDevice(
    5,
    Object.assign([], { 100: 20, 101: 20, 102: 480, 103: 381 }),
    (registers) => {
      setTimeout(() => {
        registers[101] = registers[100] ?? 0
      }, 1_500)
    },
  )
  const registration = '867725030000017'
  const gateway = await journey.start({
    dtu: { host: '127.0.0.1', port: 0 },
    lines: [
      {
        driver: 'dtu-tcp',
        id: 'L1',
        registration,
        devices: [
          { serial: 'M1', address: '00001112345678', profile: 'heat-meter-cjt188', pollPeriodS: 1 },
          { serial: 'V1', address: '5', profile: 'valve-modulating-modbus', pollPeriodS: 60 },
        ],
      },
    ],
  })
  const unit = simulateUnit({
    port: gateway.dtuPort() ?? 0,
    registration: Buffer.from(registration),
    devices: [meter, valve],
  })
  journey.onEnd(unit.close)

  // Read.
  await expect.poll(async () => (await journey.stored('M1', 'heat.energy')).length).toBeGreaterThan(1)
  await expect
    .poll(async () => (await journey.stored('V1', 'valve.opening')).map(({ value }) => value))
    .toEqual([20])

  // Command and confirm: the gateway reads the valve until it has arrived.
  const deviceId = await server.idOf('V1', journey.tokens())
  const order = { targets: [{ deviceId, openingPct: 60 }], reason: 'test' }
  const { commands } = await server.call(publishMqCtlCmd, order, journey.tokens())
  const id = commands[0]?.id ?? ''
  await expect.poll(() => journey.stateOf(id)).toBe('confirmed')
  expect(valve.state.writes).toEqual([60])

  // Lose the broker: the gateway goes on reading.
  await server.kill()
  const before = meter.state.energyKwh
  await expect.poll(() => meter.state.energyKwh).toBeGreaterThan(before + 2)
  await expect.poll(() => gateway.health().queued).toBeGreaterThan(1)
  await server.restart()
  await journey.logIn()

  // Lose the line: its device is read again with the next connection.
  unit.unplug()
  await expect.poll(() => gateway.health().openLines).toBe(0)
  unit.plug()
  const afterwards = meter.state.energyKwh
  await expect.poll(() => meter.state.energyKwh).toBeGreaterThan(afterwards + 1)
  unit.unplug()

  // Each answer of the meter showed one kWh more: all of them are stored, each once.
  await expect
    .poll(async () => (await journey.stored('M1', 'heat.energy')).map(({ value }) => value), {
      timeout: 60_000,
    })
    .toEqual(Array.from({ length: meter.state.energyKwh }, (_, at) => at + 1))
  await expect.poll(() => gateway.health().queued).toBe(0)
  const readings = await journey.stored('M1', 'heat.energy')
  expect(readings.filter(({ rows }) => rows !== 1)).toEqual([])
  expect(valve.state.writes).toEqual([60])
})
