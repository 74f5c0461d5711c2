import { afterEach, expect, test } from 'vitest'
import { startTestField } from '../../field/field.testkit.ts'
import { simulateController } from './simulator.testkit.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start() {
  const controller = simulateController()
  const port = await controller.listen()
  closers.push(controller.stop)
  for (const [register, value] of [75.5, 50.25, 0.62, 0.31, 120.5, 3510, -8.5, 62, 7.5, 76, 310].entries())
    controller.setFloat(2 * register, value)
  controller.setFloat(40, 200)
  const field = await startTestField({
    v: 1,
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
  closers.push(field.close)
  return { controller, field }
}

test('reads the blocks of a controller of another maker as one reading', async () => {
  const { field } = await start()
  await expect.poll(() => field.of('P1').length).toBeGreaterThan(0)
  expect(field.of('P1')[0]?.m).toMatchObject({
    'temp.supply': 75.5,
    'heat.power': 3510,
    'temp.outdoor': -8.5,
    'pressure.diff': 310,
    'pump.target': 200,
    'supply.offset': 0,
  })
})

test('writes a head once and reads it back', async () => {
  const { controller, field } = await start()
  const line = field.find('P1')?.line
  const until = Date.now() + 60_000
  const order = { serial: 'P1', target: 'head', value: 250, until, confirmStart: () => true } as const
  expect(await line?.write(order)).toBe('acknowledged')
  expect(controller.state.writes).toEqual([{ address: 40, value: 250 }])
  expect((await line?.read('P1', until))?.values.get('pump.target')).toBe(250)
})

test('connects again after the controller was away, and goes on', async () => {
  const { controller, field } = await start()
  await expect.poll(() => field.of('P1').length).toBeGreaterThan(0)
  await controller.stop()
  await expect.poll(() => field.lines[0]?.state().isOpen).toBe(false)
  await controller.listen()
  const before = field.of('P1').length
  await expect.poll(() => field.of('P1').length).toBeGreaterThan(before)
})

test('a connection without an answer is closed after a while, and tried again at growing pauses', async () => {
  const controller = simulateController()
  const port = await controller.listen()
  closers.push(controller.stop)
  controller.state.isMute = true
  const device = { serial: 'P1', address: '1', profile: 'station-plc-modbus', pollPeriodS: 1 }
  const field = await startTestField({
    v: 1,
    firstTimeOutMs: 100,
    lines: [{ driver: 'modbus-tcp', id: 'S1', host: '127.0.0.1', port, answerS: 1, devices: [device] }],
  })
  closers.push(field.close)
  await expect.poll(() => controller.state.connections.length).toBeGreaterThan(2)
  const pauses = controller.state.connections.slice(1).map((at, index) => {
    const closedAt = controller.state.ends[index] ?? 0
    return at - closedAt
  })
  // Half to one and a half of 0.5 s and of 1 s.
  expect(pauses[0]).toBeGreaterThan(240)
  expect(pauses[1]).toBeGreaterThan(480)
  expect(field.problems).toEqual(['line S1: no answer for 1 s'])
  controller.state.isMute = false
  await expect.poll(() => field.of('P1').length).toBeGreaterThan(0)
})

test('a controller that cannot be reached is reported once', async () => {
  const { controller, field } = await start()
  await controller.stop()
  await expect.poll(() => field.problems).toHaveLength(1)
  expect(field.problems[0]).toMatch(/^line S1: .*ECONN/)
})
