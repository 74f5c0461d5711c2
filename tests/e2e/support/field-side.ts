import type { MetricName } from '@isotherm/contract/metrics'
import {
  simulateChirpstack,
  simulateRadiatorValve,
  simulateRoomSensor,
} from '../../../apps/gateway/src/drivers/chirpstack-mqtt/simulator.testkit.ts'
import { DOWN, simulateMqttUnit, UP } from '../../../apps/gateway/src/drivers/dtu-mqtt/simulator.testkit.ts'
import { simulateUnit } from '../../../apps/gateway/src/drivers/dtu-tcp/simulator.testkit.ts'
import { simulateController } from '../../../apps/gateway/src/drivers/modbus-tcp/simulator.testkit.ts'
import { simulateValveModule } from '../../../apps/gateway/src/drivers/northbound-http/simulated-modules.testkit.ts'
import {
  type PlatformKind,
  platformConfigs,
  simulatePlatform,
  TOKEN,
} from '../../../apps/gateway/src/drivers/northbound-http/simulator.testkit.ts'
import {
  simulateCjtMeter,
  simulateRtuDevice,
} from '../../../apps/gateway/src/field/simulated-devices.testkit.ts'

/** What the field side of a line is given. */
export interface FieldPlace {
  /** Serial of the valve, whose opening is 20 % at first. */
  readonly valve: string
  /** Serial of the device that counts, if it is not the valve. */
  readonly counter: string
  /** MQTT client id of the gateway at the broker of the line. */
  readonly session: string
  /** A free TCP port, for what connects to the gateway. */
  readonly port: number
}

/** The simulated field side of one line, which reports or answers until it is closed. */
export interface FieldSide {
  /** Configuration of the gateway. */
  readonly config: Readonly<Record<string, unknown>>
  /** A metric of which each report shows one step more than the one before; absent where the reports do not count. */
  readonly count?: { readonly metric: MetricName; readonly step: number; readonly serial: string }
  /** Openings that were written to the valve. */
  readonly writes: () => readonly number[]
  readonly cut: () => unknown
  /** Whether the gateway knows that the line is lost, and reports it, until it is restored. */
  readonly isHeldDown: boolean
  readonly restore: () => unknown
  readonly close: () => unknown
}

const POLL_S = 5
const REPORT_MS = 3_000
const METER = '00001112345678'

/** Repeats a report until the function that it returns is called. */
function repeatReport(report: () => Promise<void>): () => Promise<void> {
  let isOn = true
  let wake = (): void => undefined
  const run = async (): Promise<void> => {
    while (isOn) {
      await report()
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, REPORT_MS)
      })
    }
  }
  const running = run()
  return () => {
    isOn = false
    wake()
    return running
  }
}

/** A bus with a CJ/T 188 meter, whose energy counts its answers, and a Modbus valve. */
function simulateBus({ valve, counter }: FieldPlace) {
  const meter = simulateCjtMeter(METER)
  const registers = Object.assign(new Array<number>(120).fill(0), { 100: 20, 101: 20, 102: 480, 103: 381 })
  const rtu = simulateRtuDevice(5, registers, () => {
    registers[101] = registers[100] ?? 0
  })
  return {
    devices: [meter, rtu],
    configs: [
      { serial: counter, address: METER, profile: 'heat-meter-cjt188', pollPeriodS: POLL_S },
      { serial: valve, address: '5', profile: 'valve-modulating-modbus', pollPeriodS: POLL_S },
    ],
    count: { metric: 'heat.energy', step: 1, serial: counter },
    writes: () => rtu.state.writes,
  } as const
}

async function openTcpUnit(place: FieldPlace): Promise<FieldSide> {
  const { devices, configs, count, writes } = simulateBus(place)
  const registration = '867725030000017'
  const unit = simulateUnit({ port: place.port, registration: Buffer.from(registration), devices })
  return {
    config: {
      dtu: { host: '127.0.0.1', port: place.port },
      lines: [{ driver: 'dtu-tcp', id: 'L1', registration, devices: configs }],
    },
    count,
    writes,
    cut: unit.unplug,
    isHeldDown: true,
    restore: unit.plug,
    close: unit.close,
  }
}

async function openMqttUnit(place: FieldPlace): Promise<FieldSide> {
  const { devices, configs, count, writes } = simulateBus(place)
  const unit = await simulateMqttUnit(devices)
  const line = { driver: 'dtu-mqtt', id: 'L1', url: unit.url, username: 'dtu', password: 'secret' }
  return {
    config: { lines: [{ ...line, upTopic: UP, downTopic: DOWN, devices: configs }] },
    count,
    writes,
    cut: () => unit.cut(place.session),
    isHeldDown: false,
    restore: () => undefined,
    close: unit.close,
  }
}

/** A valve of a plant room: opening in register 0, target in register 40, both floats. */
const plantRoomValve = {
  v: 1,
  id: 'valve-plant-room',
  name: { zh: '机房调节阀', en: 'Valve of a plant room' },
  kind: 'valve',
  pollPeriodS: 60,
  bus: {
    driver: 'modbus',
    transport: 'tcp',
    blocks: [{ fc: 3, start: 0, count: 2 }],
    readings: [
      { metric: 'valve.opening', fc: 3, address: 0, type: 'f32', order: 'ABCD', scale: 1, unit: '%' },
    ],
    commands: { opening: { address: 40, type: 'f32', order: 'ABCD', unit: '%' } },
  },
}

async function openController({ valve }: FieldPlace): Promise<FieldSide> {
  const controller = simulateController()
  const port = await controller.listen()
  controller.setFloat(0, 20)
  const stop = repeatReport(async () => {
    const target = controller.state.writes.at(-1)?.value
    if (target !== undefined) controller.setFloat(0, target)
  })
  const devices = [{ serial: valve, address: '1', profile: plantRoomValve.id, pollPeriodS: POLL_S }]
  return {
    config: {
      profiles: [plantRoomValve],
      lines: [{ driver: 'modbus-tcp', id: 'L1', host: '127.0.0.1', port, devices }],
    },
    writes: () => controller.state.writes.map(({ value }) => value),
    cut: controller.stop,
    isHeldDown: true,
    restore: controller.listen,
    async close() {
      await stop()
      await controller.stop()
    },
  }
}

async function openChirpstack({ valve, counter, session }: FieldPlace): Promise<FieldSide> {
  const applicationId = '17c82e96-be03-4f38-aef3-f83d48582d97'
  const sensor = simulateRoomSensor('24e124136b502217')
  const radiator = simulateRadiatorValve('24e124791b012345', 20)
  const chirpstack = await simulateChirpstack(applicationId, [sensor, radiator])
  const stop = repeatReport(async () => {
    await chirpstack.uplink(sensor.devEui)
    await chirpstack.uplink(radiator.devEui)
  })
  const line = {
    driver: 'chirpstack-mqtt',
    id: 'L1',
    url: chirpstack.url,
    username: 'lora',
    password: 'secret',
  }
  return {
    config: {
      lines: [
        {
          ...line,
          applicationId,
          devices: [
            { serial: counter, address: sensor.devEui, profile: 'room-sensor-milesight-em300' },
            { serial: valve, address: radiator.devEui, profile: 'valve-milesight-wt101' },
          ],
        },
      ],
    },
    count: { metric: 'temp.room', step: 0.1, serial: counter },
    writes: () => radiator.state.writes,
    cut: () => chirpstack.cut(session),
    isHeldDown: false,
    restore: () => undefined,
    async close() {
      await stop()
      await chirpstack.close()
    },
  }
}

/** A valve with a product model, as `simulateValveModule` has it; its supply temperature counts its reports. */
const modelValve = (kind: PlatformKind) => {
  const toProperty = (name: string) => (kind === 'onenet' ? name : `Meter.${name}`)
  return {
    v: 1,
    id: 'valve-nb',
    name: { zh: '窄带阀', en: 'NB-IoT valve' },
    kind: 'valve',
    pollPeriodS: 600,
    bus: {
      driver: 'properties',
      readings: [
        { metric: 'valve.opening', property: toProperty('opening'), unit: '%' },
        { metric: 'temp.supply', property: toProperty('temperature'), scale: 0.1, unit: '°C' },
      ],
      commands: {
        opening:
          kind === 'onenet'
            ? { parameter: '3306_0_5851', unit: '%' }
            : { service: 'Meter', command: 'set', parameter: 'opening', unit: '%' },
      },
    },
  }
}

const openPlatform = (kind: PlatformKind) =>
  async function open({ valve, port }: FieldPlace): Promise<FieldSide> {
    const valveModule = simulateValveModule('862592051651480', 20, kind === 'onenet' ? '5851' : 'opening')
    let temperature = 400
    const report = () => ({ opening: String(valveModule.state.opening), temperature: ++temperature })
    const platform = await simulatePlatform(kind, [{ ...valveModule, report }])
    const url = `http://127.0.0.1:${port}/push/L1`
    platform.setPushUrl(url)
    const stop = repeatReport(() =>
      platform.uplink(valveModule.platformId, Math.floor(Date.now() / 1_000) * 1_000),
    )
    const device = { platformId: valveModule.platformId, serial: valve, address: '1', profile: 'valve-nb' }
    return {
      config: {
        push: { port },
        profiles: [modelValve(kind)],
        lines: [
          {
            driver: 'northbound-http',
            id: 'L1',
            pushToken: TOKEN,
            ...platformConfigs[kind](platform.url),
            devices: [device],
          },
        ],
      },
      count: { metric: 'temp.supply', step: 0.1, serial: valve },
      writes: () => valveModule.state.writes,
      // Nobody listens on port 1, so the platform repeats these pushes later.
      cut: () => platform.setPushUrl('http://127.0.0.1:1/'),
      isHeldDown: false,
      async restore() {
        platform.setPushUrl(url)
        await platform.repeat()
      },
      async close() {
        await stop()
        await platform.close()
      },
    }
  }

/** The field side of each driver, and of each platform of the northbound driver. */
export const fieldSides = {
  'dtu-tcp': openTcpUnit,
  'dtu-mqtt': openMqttUnit,
  'modbus-tcp': openController,
  'chirpstack-mqtt': openChirpstack,
  'northbound-http, CTWing': openPlatform('ctwing'),
  'northbound-http, OneNET': openPlatform('onenet'),
  'northbound-http, IoTDA': openPlatform('iotda'),
} as const satisfies Readonly<Record<string, (place: FieldPlace) => Promise<FieldSide>>>
