import { EVERY_METER, encodeCjtRead, toCjtAddress } from '@isotherm/codecs/cjt188/encode'
import { addApiKey } from '@isotherm/contract/endpoints/administration/api-keys'
import { publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import { setPumpHead } from '@isotherm/contract/endpoints/control/pumps'
import { addDevModel } from '@isotherm/contract/endpoints/devices/device-models'
import { getDeviceInfoByDeviceNos } from '@isotherm/contract/endpoints/devices/devices'
import { getGatewayConfig, setGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import {
  adoptDevice,
  getUnregisteredDevices,
} from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { gatewayConfig } from '@isotherm/contract/gateway-config'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  simulateChirpstack,
  simulateRadiatorValve,
  simulateRoomSensor,
} from './drivers/chirpstack-mqtt/simulator.testkit.ts'
import { DOWN, simulateMqttUnit, UP } from './drivers/dtu-mqtt/simulator.testkit.ts'
import { simulateUnit } from './drivers/dtu-tcp/simulator.testkit.ts'
import { simulateController } from './drivers/modbus-tcp/simulator.testkit.ts'
import {
  METER,
  simulateMeterModule,
  simulateValveModule,
} from './drivers/northbound-http/simulated-modules.testkit.ts'
import { platformConfigs, simulatePlatform, TOKEN } from './drivers/northbound-http/simulator.testkit.ts'
import { simulateCjtMeter, simulateRtuDevice } from './field/simulated-devices.testkit.ts'
import { launchGateway } from './testing/gateway-process.testkit.ts'
import { type Journey, openJourney } from './testing/journey.testkit.ts'
import { GATEWAY, TENANT } from './testing/whole-server.testkit.ts'

let journey: Journey

beforeAll(async () => {
  journey = await openJourney([
    { serial: 'M1', kind: 'heat-meter' },
    { serial: 'N1', kind: 'heat-meter' },
    { serial: 'P1', kind: 'station' },
    { serial: 'R1', kind: 'room-sensor' },
    { serial: 'V1', kind: 'valve' },
    { serial: 'V2', kind: 'valve' },
    { serial: 'V3', kind: 'valve' },
  ])
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

test('chirpstack-mqtt: connect, read, command, confirm, lose both brokers, come back; nothing lost, nothing twice', async () => {
  const { server } = journey
  const applicationId = '17c82e96-be03-4f38-aef3-f83d48582d97'
  const sensor = simulateRoomSensor('24e124136b502217')
  const valve = simulateRadiatorValve('24e124791b012345', 20)
  const chirpstack = await simulateChirpstack(applicationId, [sensor, valve])
  journey.onEnd(chirpstack.close)
  const session = `isotherm-${TENANT}-${GATEWAY}-A1`
  const gateway = await journey.start({
    lines: [
      {
        driver: 'chirpstack-mqtt',
        id: 'A1',
        url: chirpstack.url,
        username: 'lora',
        password: 'secret',
        applicationId,
        devices: [
          { serial: 'R1', address: sensor.devEui, profile: 'room-sensor-milesight-em300' },
          { serial: 'V1', address: valve.devEui, profile: 'valve-milesight-wt101' },
        ],
      },
    ],
  })
  await expect.poll(() => gateway.health().openLines).toBe(1)

  // Read.
  await chirpstack.uplink(sensor.devEui)
  await chirpstack.uplink(valve.devEui)
  const roomsOf = async () => (await journey.stored('R1', 'temp.room')).map(({ value }) => value)
  await expect.poll(roomsOf).toEqual([18.1])
  await expect.poll(async () => (await journey.stored('V1', 'valve.opening'))[0]?.value).toBe(20)

  // Command: it waits for the valve's next report. The report after that acknowledges and shows it.
  const deviceId = await server.idOf('V1', journey.tokens())
  const order = { targets: [{ deviceId, openingPct: 60 }], reason: 'test', validityS: 600 }
  const { commands } = await server.call(publishMqCtlCmd, order, journey.tokens())
  await expect.poll(() => chirpstack.queueOf(valve.devEui)).toHaveLength(1)
  await chirpstack.uplink(valve.devEui)
  await chirpstack.uplink(valve.devEui)
  await expect.poll(() => journey.stateOf(commands[0]?.id ?? '')).toBe('confirmed')

  // Lose the server: the reports are stored.
  await server.kill()
  for (let count = 0; count < 10; count++) await chirpstack.uplink(sensor.devEui)
  await expect.poll(() => gateway.health().queued).toBeGreaterThan(10)
  await server.restart()
  await journey.logIn()

  // Lose the radio network's broker: it stores the reports.
  chirpstack.cut(session)
  await expect.poll(() => chirpstack.isConnected(session)).toBe(false)
  for (let count = 0; count < 10; count++) await chirpstack.uplink(sensor.devEui)
  await expect.poll(() => gateway.health().queued, { timeout: 60_000 }).toBe(0)
  await expect
    .poll(roomsOf, { timeout: 60_000 })
    .toEqual(Array.from({ length: 21 }, (_, at) => (181 + at) / 10))
  const readings = await journey.stored('R1', 'temp.room')
  expect(readings.filter(({ rows }) => rows !== 1)).toEqual([])
  expect(valve.state.writes).toEqual([60])
  expect(chirpstack.log.refused).toBe(0)
})

test('dtu-mqtt: connect, read, command, confirm, lose both brokers, come back; nothing lost, nothing twice', async () => {
  const { server } = journey
  const meter = simulateCjtMeter('00001112345678')
  const valve = simulateRtuDevice(
    5,
    Object.assign(new Array<number>(120).fill(0), { 100: 20, 101: 20 }),
    (registers) => {
      registers[101] = registers[100] ?? 0
    },
  )
  const unit = await simulateMqttUnit([meter, valve])
  journey.onEnd(unit.close)
  const session = `isotherm-${TENANT}-${GATEWAY}-L1`
  const gateway = await journey.start({
    lines: [
      {
        driver: 'dtu-mqtt',
        id: 'L1',
        url: unit.url,
        username: 'dtu',
        password: 'secret',
        upTopic: UP,
        downTopic: DOWN,
        devices: [
          { serial: 'M1', address: '00001112345678', profile: 'heat-meter-cjt188', pollPeriodS: 1 },
          { serial: 'V2', address: '5', profile: 'valve-modulating-modbus', pollPeriodS: 60 },
        ],
      },
    ],
  })
  await expect.poll(async () => (await journey.stored('M1', 'heat.energy')).length).toBeGreaterThan(1)

  const deviceId = await server.idOf('V2', journey.tokens())
  const order = { targets: [{ deviceId, openingPct: 60 }], reason: 'test' }
  const { commands } = await server.call(publishMqCtlCmd, order, journey.tokens())
  await expect.poll(() => journey.stateOf(commands[0]?.id ?? '')).toBe('confirmed')

  // Lose the server: the gateway goes on reading.
  await server.kill()
  const before = meter.state.energyKwh
  await expect.poll(() => meter.state.energyKwh).toBeGreaterThan(before + 2)
  await server.restart()
  await journey.logIn()

  // Lose the unit's broker: the next connection reads on.
  unit.cut(session)
  await expect.poll(() => gateway.health().openLines).toBe(0)
  const afterwards = meter.state.energyKwh
  await expect.poll(() => meter.state.energyKwh).toBeGreaterThan(afterwards + 1)
  unit.distort = () => undefined
  const answered = meter.state.energyKwh
  await expect.poll(() => meter.state.energyKwh).toBeGreaterThan(answered)

  // Each answer of the meter showed one kWh more. The one that was on its way when the connection was cut is polled again; the next
  // one has its energy.
  await expect.poll(() => gateway.health().queued, { timeout: 60_000 }).toBe(0)
  const readings = await journey.stored('M1', 'heat.energy')
  const steps = readings.map(({ value }, at) => value - (readings[at - 1]?.value ?? 0))
  expect(steps.filter((step) => step !== 1).length).toBeLessThanOrEqual(1)
  expect(readings.at(-1)?.value).toBeGreaterThanOrEqual(answered - 1)
  expect(readings.filter(({ rows }) => rows !== 1)).toEqual([])
  expect(valve.state.writes).toEqual([60])
})

test('northbound-http: connect, read, command, confirm, lose server and gateway, come back; nothing lost, nothing twice', async () => {
  const { server } = journey
  const meter = simulateMeterModule('P1_862592051651472')
  const valve = simulateValveModule('P1_862592051651480', 20)
  const platform = await simulatePlatform('iotda', [meter, valve])
  journey.onEnd(platform.close)
  const valveProfile = {
    v: 1,
    id: 'valve-nb',
    name: { zh: '阀', en: 'Valve' },
    kind: 'valve',
    pollPeriodS: 600,
    bus: {
      driver: 'properties',
      readings: [{ metric: 'valve.opening', property: 'Meter.opening', unit: '%' }],
      commands: { opening: { service: 'Meter', command: 'set', parameter: 'opening', unit: '%' } },
    },
  }
  const config = {
    push: { port: 0 },
    profiles: [valveProfile],
    lines: [
      {
        driver: 'northbound-http',
        id: 'NB1',
        pushToken: TOKEN,
        ...platformConfigs.iotda(platform.url),
        devices: [
          { serial: 'N1', platformId: meter.platformId, address: METER, profile: 'heat-meter-cjt188' },
          { serial: 'V3', platformId: valve.platformId, address: '1', profile: 'valve-nb' },
        ],
      },
    ],
  }
  const gateway = await journey.start(config)
  const pushTo = (port: number | undefined) => platform.setPushUrl(`http://127.0.0.1:${port}/push/NB1`)
  pushTo(gateway.pushPort())

  // Read.
  await platform.uplink(meter.platformId)
  await platform.uplink(valve.platformId)
  const energies = async () => (await journey.stored('N1', 'heat.energy')).map(({ value }) => value)
  await expect.poll(energies).toEqual([1])
  await expect.poll(async () => (await journey.stored('V3', 'valve.opening'))[0]?.value).toBe(20)

  // Command: it waits at the platform for the valve's next report. The platform says that it was delivered; the report after that confirms.
  const deviceId = await server.idOf('V3', journey.tokens())
  const order = { targets: [{ deviceId, openingPct: 60 }], reason: 'test', validityS: 600 }
  const { commands } = await server.call(publishMqCtlCmd, order, journey.tokens())
  const state = () => journey.stateOf(commands[0]?.id ?? '')
  await expect.poll(platform.waiting).toBe(1)
  await platform.uplink(valve.platformId)
  expect(valve.state.writes).toEqual([60])
  expect(['sent', 'delivered']).toContain(await state())
  await platform.uplink(valve.platformId, Math.floor(Date.now() / 1_000) * 1_000 + 1_000)
  await expect.poll(state).toBe('confirmed')

  // Lose the server: the reports are stored.
  await server.kill()
  for (let count = 0; count < 5; count++) await platform.uplink(meter.platformId)
  await expect.poll(() => gateway.health().queued).toBeGreaterThan(4)
  await server.restart()
  await journey.logIn()
  await expect.poll(() => gateway.health().queued, { timeout: 60_000 }).toBe(0)

  // Lose the port: the platform repeats its pushes, and some of them twice.
  await gateway.configure(gatewayConfig.parse({ v: 1, lines: [] }), false)
  for (let count = 0; count < 5; count++) await platform.uplink(meter.platformId)
  expect(platform.backlog).toHaveLength(5)
  await gateway.configure(gatewayConfig.parse({ v: 1, ...config }), false)
  pushTo(gateway.pushPort())
  await platform.repeat()
  expect(platform.backlog).toEqual([])
  await expect.poll(energies, { timeout: 60_000 }).toEqual(Array.from({ length: 11 }, (_, at) => at + 1))
  const readings = await journey.stored('N1', 'heat.energy')
  expect(readings.filter(({ rows }) => rows !== 1)).toEqual([])
  expect(valve.state.writes).toEqual([60])
  expect(platform.log).toMatchObject({ calls: 1, refusedCalls: 0 })
})

test('an unknown meter on a line is received, listed, adopted by a call, and then read', async () => {
  const { server } = journey
  const admin = await server.logIn('admin')
  const id = await server.idOf(GATEWAY, admin)
  const registration = '867725030000021'
  const lines = [{ driver: 'dtu-tcp', id: 'L9', registration, devices: [] }]
  const { version } = await server.call(getGatewayConfig, { imei: GATEWAY }, admin)
  const config = { v: 1, dtu: { host: '127.0.0.1', port: 9000 }, lines }
  await server.call(setGatewayConfig, { id, version, config }, admin)
  const gateway = await journey.start({ dtu: { host: '127.0.0.1', port: 0 }, lines })
  const port = gateway.dtuPort() ?? 0
  const meter = simulateCjtMeter('00001112345699', 40)
  const unit = simulateUnit({ port, registration: Buffer.from(registration), devices: [meter] })
  journey.onEnd(unit.close)
  await expect.poll(() => gateway.health().openLines).toBe(1)

  // Another master on the wire asks the meter, so that the gateway receives its answer.
  const address = toCjtAddress('00001112345699') ?? EVERY_METER
  unit.say(meter.answer(encodeCjtRead({ address, sequence: 1 }, 0x901f)) ?? new Uint8Array())
  const list = async () => (await server.call(getUnregisteredDevices, {}, admin)).datalist
  await expect.poll(async () => (await list()).map(({ address: of }) => of)).toEqual([address])
  const [unregistered] = await list()
  expect(unregistered).toMatchObject({
    line: 'L9',
    guess: { kind: 'heat-meter', profile: 'heat-meter-cjt188' },
  })
  expect(unregistered?.values).toContainEqual({ metric: 'heat.energy', value: 41 })

  const [{ node } = { node: '' }] = (
    await server.call(getDeviceInfoByDeviceNos, { deviceNos: ['M1'] }, admin)
  ).list
  const model = await server.call(addDevModel, { kind: 'heat-meter', name: 'H-unregistered' }, admin)
  const adoption = {
    id: unregistered?.id,
    imei: 'M-unregistered',
    name: 'M-unregistered',
    kind: 'heat-meter',
    profile: unregistered?.guess?.profile,
    modelId: model.id,
    node,
    periodS: 60,
  }
  await server.call(adoptDevice, adoption, admin)
  expect(await list()).toEqual([])
  const stored = await server.call(getGatewayConfig, { imei: GATEWAY }, admin)
  const [line] = stored.config?.lines ?? []
  expect(line?.devices).toEqual([{ serial: 'M-unregistered', address, profile: 'heat-meter-cjt188' }])
  const polled = line?.devices.map((device) => ({ ...device, pollPeriodS: 1 }))
  const next = { v: 1, dtu: { host: '127.0.0.1', port }, lines: [{ ...line, devices: polled }] }
  await gateway.configure(gatewayConfig.parse(next), false)
  await expect
    .poll(async () => (await journey.stored('M-unregistered', 'heat.energy'))[0]?.value)
    .toBeGreaterThan(41)
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
  const { version } = await server.call(getGatewayConfig, { imei: GATEWAY }, admin)
  await server.call(setGatewayConfig, { id, version, config }, admin)
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
