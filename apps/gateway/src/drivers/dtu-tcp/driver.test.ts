import { connect } from 'node:net'
import { EVERY_METER, encodeCjtRead, toCjtAddress } from '@isotherm/codecs/cjt188/encode'
import { afterEach, expect, test } from 'vitest'
import { startTestField } from '../../field/field.testkit.ts'
import { createPollClock } from '../../field/poll-clock.ts'
import {
  simulateCjtMeter,
  simulateMbusMeter,
  simulateRtuDevice,
} from '../../field/simulated-devices.testkit.ts'
import { type SimulatedUnit, type SimulatedUnitOptions, simulateUnit } from './simulator.testkit.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const meter = { serial: 'M1', address: '00001112345678', profile: 'heat-meter-cjt188', pollPeriodS: 1 }
const imei = '867725030000017'
const toConfig = (devices: readonly object[], listener: object = {}) => ({
  v: 1,
  firstTimeOutMs: 1_000,
  dtu: { host: '127.0.0.1', port: 0, ...listener },
  lines: [{ driver: 'dtu-tcp', id: 'L1', registration: imei, devices }],
})

async function start(devices: readonly object[], listener: object = {}) {
  const field = await startTestField(toConfig(devices, listener))
  closers.push(field.close)
  const { dtuPort: port = 0 } = field
  const plugIn = (
    unit: Omit<SimulatedUnitOptions, 'port' | 'registration'> & { registration?: Uint8Array },
  ) => {
    const simulated = simulateUnit({ registration: Buffer.from(imei), ...unit, port })
    closers.push(simulated.close)
    return simulated
  }
  return { field, port, plugIn }
}

const isOpen = (field: Awaited<ReturnType<typeof start>>['field']): boolean =>
  field.lines.every((line) => line.state().isOpen)

test('a unit names itself in pieces, and its meters of three protocols are read in turn', async () => {
  const rtu = simulateRtuDevice(7, [0xff9c, 3600])
  const { field, plugIn } = await start([
    meter,
    { serial: 'M2', address: '12345678', profile: 'heat-meter-mbus', pollPeriodS: 1 },
    { serial: 'R1', address: '7', profile: 'room-sensor-modbus', pollPeriodS: 1 },
  ])
  plugIn({ devices: [simulateCjtMeter(meter.address), simulateMbusMeter('12345678'), rtu] })
  await expect.poll(() => field.of('M1').length).toBeGreaterThan(0)
  await expect.poll(() => field.of('M2').length).toBeGreaterThan(0)
  await expect.poll(() => field.of('R1').length).toBeGreaterThan(0)
  expect(field.of('M1')[0]?.m).toMatchObject({ 'heat.energy': 1, 'temp.supply': 48.25, 'meter.hours': 4321 })
  // 2026-01-08 14:30 by the meter, which stands in China.
  expect(field.of('M1')[0]?.dt).toBe(Date.UTC(2026, 0, 8, 6, 30))
  // Both telegrams of one answer.
  expect(field.of('M2')[0]?.m).toEqual({ 'heat.energy': 1, 'temp.supply': 48.2, 'temp.return': 38.1 })
  expect(field.of('R1')[0]?.m).toEqual({ 'temp.room': -10, 'bat.v': 3.6 })
})

test('a device is read once in each of its periods', async () => {
  const simulated = simulateCjtMeter(meter.address)
  const { field, plugIn } = await start([meter])
  plugIn({ devices: [simulated] })
  await expect.poll(() => field.of('M1').length).toBeGreaterThan(3)
  const clock = createPollClock(1_000, 'L1')
  const periods = field.of('M1').map(({ ts = 0 }) => clock.slotAt(ts))
  expect(new Set(periods).size).toBe(periods.length)
  expect(simulated.state.energyKwh).toBe(field.of('M1').length)
})

test('finds answers between heartbeats, noise, repeated registrations and wake-up bytes', async () => {
  const simulated = simulateCjtMeter(meter.address)
  const { field, plugIn } = await start([meter], { heartbeatHex: '68AA' })
  const unit = plugIn({ devices: [simulated] })
  unit.distort = (answer) => [
    Buffer.from([0x68, 0x20, 0x16, 0xfe, 0xfe]),
    answer.subarray(0, 9),
    answer.subarray(9),
  ]
  await expect.poll(() => isOpen(field)).toBe(true)
  unit.say(Buffer.from('68aa', 'hex'))
  unit.say(Buffer.from(imei))
  await expect.poll(() => field.of('M1').length).toBeGreaterThan(1)
})

test('a lost answer is requested again in the same period, and a wrong one is not stored', async () => {
  const simulated = simulateCjtMeter(meter.address)
  const { field, plugIn } = await start([{ ...meter, pollPeriodS: 4 }])
  const unit = plugIn({ devices: [simulated] })
  let answers = 0
  unit.distort = (answer) => {
    answers++
    return answers === 1 ? [answer.with(20, (answer[20] ?? 0) ^ 1)] : [answer]
  }
  await expect.poll(() => field.of('M1').length).toBeGreaterThan(0)
  expect(field.of('M1')[0]?.m['heat.energy']).toBe(2)
})

test('a heartbeat and a registration inside of an answer do not destroy it', async () => {
  const simulated = simulateCjtMeter(meter.address)
  const { field, plugIn } = await start([{ ...meter, pollPeriodS: 4 }], { heartbeatHex: '68AA' })
  const unit = plugIn({ devices: [simulated] })
  const inserts = [Buffer.from('68aa', 'hex'), Buffer.from(imei)]
  unit.distort = (answer) => {
    const insert = inserts[simulated.state.energyKwh % 2] ?? Buffer.alloc(0)
    return [Buffer.concat([answer.subarray(0, 30), insert, answer.subarray(30)])]
  }
  await expect.poll(() => field.of('M1').length).toBeGreaterThan(1)
  expect(field.of('M1').map(({ m }) => m['heat.energy'])).toEqual(field.of('M1').map((_, at) => at + 1))
})

test('the late answer to one block of registers is not taken for another block', async () => {
  const profile = {
    v: 1,
    id: 'two-blocks',
    name: { zh: '两段', en: 'Two blocks' },
    kind: 'valve',
    pollPeriodS: 60,
    bus: {
      driver: 'modbus',
      transport: 'rtu',
      blocks: [
        { fc: 3, start: 0, count: 1 },
        { fc: 3, start: 10, count: 1 },
      ],
      readings: [
        { metric: 'valve.target', address: 0, type: 'u16', unit: '%' },
        { metric: 'valve.opening', address: 10, type: 'u16', unit: '%' },
      ],
    },
  }
  const device = { serial: 'V1', address: '7', profile: 'two-blocks', pollPeriodS: 4 }
  const field = await startTestField({ ...toConfig([device]), profiles: [profile] })
  closers.push(field.close)
  const registers = Object.assign<number[], object>([], { 0: 80, 10: 20 })
  const unit = simulateUnit({
    port: field.dtuPort ?? 0,
    registration: Buffer.from(imei),
    devices: [simulateRtuDevice(7, registers)],
  })
  closers.push(unit.close)
  // The network delays the first answer until the same block is read again, and the answer to that for a moment more.
  const answers: Uint8Array[] = []
  unit.distort = (answer) => {
    answers.push(answer)
    if (answers.length === 1) return undefined
    setTimeout(() => unit.say(answer), answers.length === 2 ? 30 : 100)
    return answers.length === 2 ? answers.slice(0, 1) : undefined
  }
  await expect.poll(() => field.of('V1').length).toBeGreaterThan(0)
  expect(field.of('V1')[0]?.m).toEqual({ 'valve.target': 80, 'valve.opening': 20 })
})

test('a silent meter does not hold up the others of its line', async () => {
  const { field, plugIn } = await start([{ ...meter, serial: 'M0', address: '00001112340000' }, meter])
  plugIn({ devices: [simulateCjtMeter(meter.address)] })
  await expect.poll(() => field.of('M1').length).toBeGreaterThan(0)
  expect(field.of('M0')).toEqual([])
})

test('a line that was lost goes on with the next connection; a second connection replaces a dead one', async () => {
  const simulated = simulateCjtMeter(meter.address)
  const { field, plugIn } = await start([meter])
  const first: SimulatedUnit = plugIn({ devices: [simulated], reconnectMs: 60_000 })
  await expect.poll(() => field.of('M1').length).toBeGreaterThan(0)
  first.unplug()
  await expect.poll(() => isOpen(field)).toBe(false)
  first.plug()
  const before = field.of('M1').length
  await expect.poll(() => field.of('M1').length).toBeGreaterThan(before)
  const other = simulateCjtMeter(meter.address, 1000)
  first.distort = () => undefined
  plugIn({ devices: [other], reconnectMs: 60_000 })
  await expect.poll(() => other.state.energyKwh).toBeGreaterThan(1000)
})

test('a unit outside of the networks of units gets nothing with the registration of a line, and is reported once', async () => {
  const networks = ['127.0.0.2', '10.8.0.0/16', 'fd00:8::/64']
  const { field, plugIn } = await start([meter], { networks })
  const stranger = plugIn({ devices: [simulateCjtMeter(meter.address)], localAddress: '127.0.0.3' })
  await expect.poll(() => field.problems.length).toBeGreaterThan(0)
  expect(isOpen(field)).toBe(false)
  stranger.unplug()
  plugIn({ devices: [simulateCjtMeter(meter.address)], localAddress: '127.0.0.2' })
  await expect.poll(() => field.of('M1').length).toBeGreaterThan(0)
  expect(field.problems).toEqual(['a connection of 127.0.0.3 is in no network of units'])
})

test('a unit that no line has is closed and reported once, with what it sent', async () => {
  const { field, port } = await start([meter])
  for (const _ of [1, 2]) {
    const socket = connect(port, '127.0.0.1')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write('000000000000000 and more')
    await closed
  }
  expect(field.problems).toEqual([
    'a unit that no line has connected from 127.0.0.1: "000000000000000 and more"',
  ])
})

/** A connection that is not of a unit. */
function connectWithoutRegistration(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  closers.push(() => socket.destroy())
  return { socket, closed: new Promise((resolve) => socket.once('close', resolve)) }
}

test('more unregistered connections than are allowed do not keep a unit out, and none of them stays', async () => {
  const { field, port, plugIn } = await start([meter], { registrationS: 1 })
  const connections = Array.from({ length: 1_100 }, () => connectWithoutRegistration(port))
  await Promise.race(connections.map(({ closed }) => closed))
  const simulated = simulateCjtMeter(meter.address)
  plugIn({ devices: [simulated] })
  await expect.poll(() => field.of('M1').length).toBeGreaterThan(0)
  await Promise.all(connections.map(({ closed }) => closed))
  await expect.poll(() => isOpen(field)).toBe(true)
})

test('a name in single bytes does not hold the connection, and what it sent is reported', async () => {
  const { field, port } = await start([meter], { registrationS: 1 })
  const { socket, closed } = connectWithoutRegistration(port)
  const dribble = setInterval(() => socket.write('8'), 100)
  closers.push(() => clearInterval(dribble))
  await closed
  expect(field.problems).toEqual([
    expect.stringMatching(/^a unit that no line has connected from 127\.0\.0\.1: "8+"$/),
  ])
})

test('a connection that stays silent too long is closed, so that the unit can come back', async () => {
  const { field, plugIn } = await start([], { idleS: 1 })
  plugIn({ devices: [], reconnectMs: 60_000 })
  await expect.poll(() => isOpen(field)).toBe(true)
  await expect.poll(() => isOpen(field)).toBe(false)
})

test('a valve is written once, before the polls, and its state is read back', async () => {
  const valve = { serial: 'V1', address: '00001112345678', profile: 'valve-on-off-cjt188', pollPeriodS: 60 }
  const simulated = simulateCjtMeter(valve.address)
  const { field, plugIn } = await start([valve])
  const unit = plugIn({ devices: [simulated] })
  const line = field.find('V1')?.line
  const order = { serial: 'V1', target: 'opening', value: 0, until: Date.now() + 60_000 } as const
  expect(await line?.write({ ...order, confirmStart: () => true })).toBe('acknowledged')
  expect(simulated.state.writes).toEqual([0])
  expect((await line?.read('V1', order.until))?.values.get('valve.opening')).toBe(0)
  expect(await line?.write({ ...order, confirmStart: () => false })).toBe('withdrawn')
  expect(await line?.write({ ...order, value: 45, confirmStart: () => true })).toBe('unsupported')
  unit.distort = () => undefined
  expect(await line?.write({ ...order, value: 100, confirmStart: () => true })).toBe('silence')
  expect(simulated.state.writes).toEqual([0, 100])
  unit.unplug()
  await expect.poll(() => isOpen(field)).toBe(false)
  const soon = { ...order, until: Date.now() + 50, confirmStart: () => true }
  expect(await line?.write(soon)).toBe('expired')
})

test('an unknown device on a line and a unit of no line are reported; its own devices, requests and scans of the port are not', async () => {
  const { field, port, plugIn } = await start([meter])
  const unit = plugIn({ devices: [simulateCjtMeter(meter.address)] })
  plugIn({ registration: Buffer.from('867725030000018'), devices: [] })
  const scan = connect(port, '127.0.0.1')
  closers.push(() => scan.destroy())
  scan.write('GET / HTTP/1.1\r\n')
  await expect.poll(() => isOpen(field)).toBe(true)
  const toRequest = (address: string): Uint8Array =>
    encodeCjtRead({ address: toCjtAddress(address) ?? EVERY_METER, sequence: 9 }, 0x901f)
  const unknownDevice = simulateCjtMeter('00001112345679').answer(toRequest('00001112345679'))
  const own = simulateCjtMeter(meter.address).answer(toRequest(meter.address))
  for (const bytes of [toRequest('00001112345680'), own, unknownDevice]) unit.say(bytes ?? new Uint8Array())
  await expect.poll(() => field.unknownDevices.length).toBeGreaterThan(1)
  await expect.poll(() => field.problems.some((text) => text.includes('GET'))).toBe(true)
  expect(new Set(field.unknownDevices.map(({ line, address }) => `${line} ${address}`))).toEqual(
    new Set(['undefined 867725030000018', 'L1 00001112345679']),
  )
  expect(field.unknownDevices.find(({ line }) => line)?.hex).toBe(
    Buffer.from(unknownDevice ?? []).toString('hex'),
  )
})
