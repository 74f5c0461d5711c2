import type { ScanProgress } from '@isotherm/contract/mqtt'
import { afterEach, expect, test } from 'vitest'
import { startTestField } from '../../field/field.testkit.ts'
import { simulateCjtMeter, simulateMbusMeter } from '../../field/simulated-devices.testkit.ts'
import { simulateUnit } from './simulator.testkit.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const imei = '867725030000017'
const meter = { serial: 'M1', address: '00001112345678', profile: 'heat-meter-cjt188', pollPeriodS: 1 }

/** A line with a CJ/T 188 meter that is polled each second, and two M-Bus meters that nobody knows. */
async function start() {
  const field = await startTestField({
    v: 1,
    firstTimeOutMs: 100,
    dtu: { host: '127.0.0.1', port: 0 },
    lines: [{ driver: 'dtu-tcp', id: 'L1', registration: imei, devices: [meter] }],
  })
  closers.push(field.close)
  const devices = [
    simulateCjtMeter(meter.address),
    simulateMbusMeter('12345678'),
    simulateMbusMeter('52345678'),
  ]
  const unit = simulateUnit({ registration: Buffer.from(imei), port: field.dtuPort ?? 0, devices })
  closers.push(unit.close)
  const [line] = field.lines
  await expect.poll(() => line?.state().isOpen).toBe(true)
  return { field, unit, line }
}

test('a search finds meters of another protocol than that of the line, while its device is polled', async () => {
  const { field, line } = await start()
  const said: ScanProgress[] = []
  const running = line?.scan?.({
    method: 'mbus-secondary',
    until: Date.now() + 60_000,
    onProgress: (progress) => said.push(progress),
  })
  expect(
    line?.scan?.({ method: 'cjt188', until: Date.now() + 1, onProgress: () => undefined }),
  ).toBeUndefined()
  const before = field.of('M1').length
  expect(await running?.ended).toBe('done')
  expect(field.unknownDevices.map(({ line: on, address }) => [on, address])).toEqual([
    ['L1', '12345678'],
    ['L1', '52345678'],
  ])
  expect(said.at(-1)).toEqual({ requested: 11, of: 11, found: 2, known: 0, collisions: 0 })
  expect(field.of('M1').length).toBeGreaterThan(before)
})

test('a search waits for a line that is lost, is stopped at once, and ends by its time', async () => {
  const { unit, line, field } = await start()
  unit.unplug()
  await expect.poll(() => line?.state().isOpen).toBe(false)
  const search = (ms: number) =>
    line?.scan?.({ method: 'mbus-primary', until: Date.now() + ms, onProgress: () => undefined })
  const stopped = search(60_000)
  stopped?.stop()
  expect(await stopped?.ended).toBe('stopped')
  expect(await search(50)?.ended).toBe('expired')
  const known = line?.scan?.({ method: 'cjt188', until: Date.now() + 60_000, onProgress: () => undefined })
  unit.plug()
  expect(await known?.ended).toBe('done')
  // The meter that the line has is no new device.
  expect(field.unknownDevices).toEqual([])
})
