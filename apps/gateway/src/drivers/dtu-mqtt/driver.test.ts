import { afterEach, expect, test } from 'vitest'
import { startTestField } from '../../field/field.testkit.ts'
import { simulateCjtMeter, simulateRtuDevice } from '../../field/simulated-devices.testkit.ts'
import { DOWN, simulateMqttUnit, UP } from './simulator.testkit.ts'

const METER = '00001112345678'
const SESSION = 'test-L1'
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(given: object = {}) {
  const meter = simulateCjtMeter(METER)
  const valve = simulateRtuDevice(5, [20, 20])
  const unit = await simulateMqttUnit([meter, valve])
  closers.push(unit.close)
  const field = await startTestField({
    v: 1,
    firstTimeOutMs: 1_500,
    lines: [
      {
        driver: 'dtu-mqtt',
        id: 'L1',
        url: unit.url,
        username: 'dtu',
        password: 'secret',
        upTopic: UP,
        downTopic: DOWN,
        ...given,
        devices: [
          { serial: 'M1', address: METER, profile: 'heat-meter-cjt188', pollPeriodS: 1 },
          { serial: 'V1', address: '5', profile: 'valve-modulating-modbus', pollPeriodS: 3_600 },
        ],
      },
    ],
  })
  closers.push(field.close)
  return { field, unit, meter, valve }
}

type Field = Awaited<ReturnType<typeof start>>['field']
const energiesOf = (field: Field): number[] => field.of('M1').flatMap(({ m }) => m['heat.energy'] ?? [])

test('polls through the topics, also when an answer comes in pieces with a heartbeat between them', async () => {
  const { field, unit } = await start({ heartbeatHex: 'fefe' })
  await expect.poll(() => energiesOf(field).length).toBeGreaterThan(0)
  unit.distort = (answer) => [answer.subarray(0, 9), Uint8Array.of(0xfe, 0xfe), answer.subarray(9)]
  const before = energiesOf(field).length
  await expect.poll(() => energiesOf(field).length).toBeGreaterThan(before)
  expect(field.lines[0]?.state()).toMatchObject({ isOpen: true, devices: 2 })
})

test('a write reaches its device once, and is read back', async () => {
  const { field, valve } = await start()
  await expect.poll(() => field.lines[0]?.state().isOpen).toBe(true)
  const until = Date.now() + 30_000
  const order = { serial: 'V1', target: 'opening', value: 45, until, confirmStart: () => true } as const
  expect(await field.find('V1')?.line.write(order)).toBe('acknowledged')
  expect(valve.state.writes).toHaveLength(1)
})

test('the broker is lost and comes back; a retained old answer is no answer', async () => {
  const { field, unit, meter } = await start()
  await expect.poll(() => energiesOf(field).length).toBeGreaterThan(0)
  unit.cut(SESSION)
  await expect.poll(() => field.lines[0]?.state().isOpen).toBe(false)
  await unit.retain(Uint8Array.of(0x68, 0x20, 0x16))
  await expect.poll(() => field.lines[0]?.state().isOpen).toBe(true)
  const before = meter.state.energyKwh
  await expect.poll(() => energiesOf(field).at(-1) ?? 0).toBeGreaterThan(before)
  const energies = energiesOf(field)
  expect(new Set(energies).size).toBe(energies.length)
})

test('a unit without a heartbeat for the given time is gone, until it speaks again', async () => {
  const { field, unit } = await start({ heartbeatHex: 'fefe', idleS: 2 })
  await expect.poll(() => energiesOf(field).length).toBeGreaterThan(0)
  unit.distort = () => undefined
  await expect.poll(() => field.lines[0]?.state().isOpen).toBe(false)
  unit.distort = (answer) => [answer]
  const before = energiesOf(field).length
  await unit.say(Uint8Array.of(0xfe, 0xfe))
  await expect.poll(() => energiesOf(field).length).toBeGreaterThan(before)
})
