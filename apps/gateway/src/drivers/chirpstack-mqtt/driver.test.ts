import { afterEach, expect, test } from 'vitest'
import { startTestField } from '../../field/field.testkit.ts'
import { simulateChirpstack, simulateRadiatorValve, simulateRoomSensor } from './simulator.testkit.ts'

const APPLICATION = '17c82e96-be03-4f38-aef3-f83d48582d97'
const SENSOR = '24e124136b502217'
const VALVE = '24e124791b012345'
/** Session of the driver of line A1 in these tests. */
const SESSION = 'test-A1'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(stored?: () => Promise<void>) {
  const sensor = simulateRoomSensor(SENSOR)
  const valve = simulateRadiatorValve(VALVE, 20)
  const chirpstack = await simulateChirpstack(APPLICATION, [sensor, valve])
  closers.push(chirpstack.close)
  const open = async () => {
    const field = await startTestField(
      {
        v: 1,
        lines: [
          {
            driver: 'chirpstack-mqtt',
            id: 'A1',
            url: chirpstack.url,
            username: 'lora',
            password: 'secret',
            applicationId: APPLICATION,
            devices: [
              { serial: 'R1', address: SENSOR.toUpperCase(), profile: 'room-sensor-milesight-em300' },
              { serial: 'V1', address: VALVE, profile: 'valve-milesight-wt101' },
            ],
          },
        ],
      },
      new Map(),
      stored,
    )
    closers.push(field.close)
    await expect.poll(() => field.lines[0]?.state().isOpen).toBe(true)
    return field
  }
  return { field: await open(), open, chirpstack, sensor, valve }
}

const roomsOf = (field: Awaited<ReturnType<typeof start>>['field']): number[] =>
  field.of('R1').flatMap(({ m }) => m['temp.room'] ?? [])
const toOrder = (value: number, until = Date.now() + 60_000) =>
  ({ serial: 'V1', target: 'opening', value, until, confirmStart: () => true }) as const

test('stores the readings of an uplink at the time of the network, and the best signal', async () => {
  const { field, chirpstack } = await start()
  const at = Date.now() - 5_000
  await chirpstack.uplink(SENSOR, at)
  await expect
    .poll(() => field.of('R1'))
    .toEqual([
      { id: 'R1', ts: at, m: { 'temp.room': 18.1 } },
      { id: 'R1', ts: at, m: { rssi: -61 } },
    ])
  expect(field.lines[0]?.state()).toMatchObject({ devices: 2, silent: 0 })
})

test('a write waits for the next report of its device, and its acknowledgement comes with the one after', async () => {
  const { field, chirpstack, valve } = await start()
  const line = field.find('V1')?.line
  const writing = line?.write(toOrder(45))
  await expect.poll(() => chirpstack.queueOf(VALVE)).toHaveLength(1)
  expect(chirpstack.queueOf(VALVE)[0]).toMatchObject({ confirmed: true, fPort: 85, data: '/7MA/7Qt' })
  await chirpstack.uplink(VALVE)
  expect(valve.state.writes).toEqual([45])
  await chirpstack.uplink(VALVE)
  expect(await writing).toBe('acknowledged')
  // The report that carried the acknowledgement has the new opening already.
  expect((await line?.read('V1', Date.now() + 1_000))?.values.get('valve.opening')).toBe(45)
  const reading = line?.read('V1', Date.now() + 60_000)
  await chirpstack.uplink(VALVE)
  expect((await reading)?.values.get('valve.opening')).toBe(45)
})

test('a device that did not receive a downlink, one that came too late, and what cannot be expressed', async () => {
  const { field, chirpstack, valve } = await start()
  const line = field.find('V1')?.line
  expect(await line?.write(toOrder(300))).toBe('unsupported')
  expect(await line?.write({ ...toOrder(50), serial: 'R1' })).toBe('unsupported')
  expect(await line?.write({ ...toOrder(50), confirmStart: () => false })).toBe('withdrawn')
  chirpstack.isDeaf = true
  const lost = line?.write(toOrder(50))
  await expect.poll(() => chirpstack.queueOf(VALVE)).toHaveLength(1)
  await chirpstack.uplink(VALVE)
  await chirpstack.uplink(VALVE)
  expect(await lost).toBe('silence')
  const late = line?.write(toOrder(60, Date.now() + 2_000))
  await expect.poll(() => chirpstack.queueOf(VALVE)).toHaveLength(1)
  await expect.poll(() => Date.parse(chirpstack.queueOf(VALVE)[0]?.expiresAt ?? '') < Date.now()).toBe(true)
  await chirpstack.uplink(VALVE)
  expect(await late).toBe('expired')
  expect(valve.state.writes).toEqual([])
})

test('events while the connection is away arrive afterwards, each once, and a write waits for it', async () => {
  const { field, chirpstack, sensor } = await start()
  await chirpstack.uplink(SENSOR)
  await expect.poll(() => roomsOf(field)).toHaveLength(1)
  chirpstack.cut(SESSION)
  await expect.poll(() => field.lines[0]?.state().isOpen).toBe(false)
  const writing = field.find('V1')?.line.write(toOrder(45))
  for (let count = 0; count < 20; count++) await chirpstack.uplink(SENSOR)
  await expect.poll(() => field.lines[0]?.state().isOpen).toBe(true)
  await expect.poll(() => roomsOf(field).length).toBe(sensor.state.uplinks)
  expect(roomsOf(field)).toEqual(Array.from({ length: 21 }, (_, at) => (181 + at) / 10))
  await expect.poll(() => chirpstack.queueOf(VALVE)).toHaveLength(1)
  await chirpstack.uplink(VALVE)
  await chirpstack.uplink(VALVE)
  expect(await writing).toBe('acknowledged')
  expect(chirpstack.log).toMatchObject({ refused: 0, downlinks: [{ devEui: VALVE }] })
})

test('an event is acknowledged when its readings are stored: a gateway that ends before gets it again', async () => {
  let storing: Promise<void> = Promise.resolve()
  const { field, open, chirpstack } = await start(() => storing)
  storing = new Promise(() => undefined)
  await chirpstack.uplink(SENSOR)
  await expect.poll(() => roomsOf(field)).toEqual([18.1])
  await field.close()
  storing = Promise.resolve()
  const next = await open()
  await expect.poll(() => roomsOf(next)).toEqual([18.1])
})

test('what is no event, and a device without a configuration, are reported and hold up nothing', async () => {
  const { field, chirpstack } = await start()
  await chirpstack.publish('0101010101010101', 'up', { deduplicationId: 'a', data: 'AXU=' })
  await chirpstack.publish(SENSOR, 'up', { deduplicationId: 7 })
  await chirpstack.publish(SENSOR, 'status', { margin: 7 })
  await chirpstack.uplink(SENSOR)
  await expect.poll(() => roomsOf(field)).toEqual([18.1])
  expect(field.unknownDevices).toEqual([{ line: 'A1', address: '0101010101010101', port: 0, hex: '0175' }])
  expect(field.problems).toEqual([
    'line A1: a device that the configuration does not have reports: 0101010101010101',
    expect.stringMatching(/^line A1: application\/.* contained no event of ChirpStack 4 in JSON$/),
  ])
})
