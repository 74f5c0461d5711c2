import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { decodeEverything, decodeInner, listNoise } from './fuzz.testkit.ts'
import { createLineParser, MAX_BUFFER } from './stream/line-parser.ts'

const INPUTS = 1_000_000
/** Growth of the heap that a million decoded inputs may leave behind, MB: nothing of them is stored. */
const MAX_GROWTH_MB = 64
const TEN_MINUTES_MS = 600_000

/** Bytes of the heap that are still in use: garbage that nobody has collected yet is no growth. */
function readUsedHeap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

it('decodes a million inputs without an exception, a hang or a growing memory', {
  timeout: TEN_MINUTES_MS,
}, () => {
  const parser = createLineParser({ formats: ['mbus', 'dlt645', 'cjt188', 'modbus-rtu'] })
  const before = readUsedHeap()
  let slowestMs = 0
  let frames = 0
  let maxPending = 0
  let at = 0
  for (const bytes of listNoise(3, INPUTS)) {
    const from = performance.now()
    decodeEverything(bytes)
    decodeInner(bytes)
    frames += parser.push(bytes, at).length
    slowestMs = Math.max(slowestMs, performance.now() - from)
    maxPending = Math.max(maxPending, parser.pending)
    at += bytes[0] ?? 1
  }
  expect(maxPending).toBeLessThan(MAX_BUFFER)
  expect(frames).toBeGreaterThan(0)
  // One input has at most 80 bytes; a pause of the machine may be longer than its decoding, a hang is not.
  expect(slowestMs).toBeLessThan(5000)
  expect((readUsedHeap() - before) / 2 ** 20).toBeLessThan(MAX_GROWTH_MB)
})
