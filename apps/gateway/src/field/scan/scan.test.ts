import { findMbus } from '@isotherm/codecs/mbus/frame'
import { createLineParser, type LineFrame } from '@isotherm/codecs/stream/line-parser'
import type { ScanMethod } from '@isotherm/contract/mqtt'
import { createRandom } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import {
  answerOnBus,
  type SimulatedDevice,
  simulateCjtMeter,
  simulateMbusMeter,
} from '../simulated-devices.testkit.ts'
import { createUnknownDeviceCheck } from '../unknown-device.ts'
import { type Ask, createScan } from './scan.ts'

/** Asks the devices of a bus without any waiting. */
function createAsk(devices: readonly SimulatedDevice[], method: ScanMethod): Ask {
  const parser = createLineParser({ formats: createScan(method).formats })
  let at = 0
  return async ({ bytes, isReply }) => {
    at += 1_000
    const before = parser.skipped
    const frames = [
      ...parser.push(answerOnBus(devices, bytes) ?? new Uint8Array(), at),
      ...parser.tick(at + 900),
    ]
    const frame = frames.find(isReply)
    if (frame !== undefined) return { kind: 'reply', frame, afterMs: 5 }
    return { kind: 'silence', hasNoise: parser.skipped > before }
  }
}

async function search(method: ScanMethod, devices: readonly SimulatedDevice[]) {
  const scan = createScan(method)
  const ask = createAsk(devices, method)
  const found: LineFrame[] = []
  while (!scan.isEnded()) {
    const frame = await scan.step(ask)
    if (frame !== undefined) found.push(frame)
  }
  const check = createUnknownDeviceCheck([])
  return { addresses: found.map((frame) => check(frame)?.address), ...scan.progress() }
}

test('a line without meters is known after one question', async () => {
  expect(await search('mbus-secondary', [])).toMatchObject({ addresses: [], requested: 1, of: 1 })
})

test('meters with neighbouring and with random secondary addresses are all found, each once', async () => {
  const random = createRandom(7)
  const ids = new Set(['12345678', '12345679', '12345688', '00000000', '99999999'])
  while (ids.size < 40) ids.add(String(Math.floor(random() * 1e8)).padStart(8, '0'))
  const { addresses, found, requested, of, collisions } = await search(
    'mbus-secondary',
    [...ids].map((id) => simulateMbusMeter(id)),
  )
  expect([...addresses].sort()).toEqual([...ids].sort())
  expect([found, of - requested, collisions]).toEqual([40, 0, 0])
})

test('two meters with the same secondary address are a collision, and the others are found', async () => {
  const meters = ['12345678', '12345678', '55555555'].map((id, at) => simulateMbusMeter(id, at + 1))
  expect(await search('mbus-secondary', meters)).toMatchObject({ addresses: ['55555555'], collisions: 1 })
})

test('primary addresses are requested one by one; two meters at one address are a collision', async () => {
  const meters = [0, 17, 250, 99, 99].map((primary, at) => simulateMbusMeter(`1000000${at}`, primary))
  expect(await search('mbus-primary', meters)).toEqual({
    addresses: ['10000000', '10000001', '10000002'],
    requested: 251,
    of: 251,
    found: 3,
    collisions: 1,
  })
})

test('the wildcard of CJ/T 188 finds the meter of a line with one, and reports if there are several', async () => {
  const one = simulateCjtMeter('00001112345678')
  expect(await search('cjt188', [one])).toMatchObject({ addresses: ['00001112345678'], requested: 1, of: 1 })
  const two = [one, simulateCjtMeter('00001112345679', 50)]
  expect(await search('cjt188', two)).toMatchObject({ addresses: [], collisions: 1, of: 1 })
  expect(await search('cjt188', [])).toMatchObject({ addresses: [], requested: 7, of: 7 })
})

test('a meter that answered a pattern is deselected before the next one', async () => {
  const meters = ['10000000', '20000000'].map((id) => simulateMbusMeter(id))
  const requested: string[] = []
  const ask = createAsk(meters, 'mbus-secondary')
  const scan = createScan('mbus-secondary')
  while (!scan.isEnded())
    await scan.step((request) => {
      const frame = findMbus(request.bytes)
      requested.push('function' in frame ? frame.function : '')
      return ask(request)
    })
  const selections = requested.flatMap((name, at) => (name === 'snd-ud' ? [requested[at - 1]] : []))
  // The first one, all of the pattern that collided, and those after a meter that was found.
  expect(selections.filter((before) => before === 'snd-nke')).toHaveLength(4)
  expect(scan.progress()).toMatchObject({ found: 2, requested: 11 })
})
