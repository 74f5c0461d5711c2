import { DAY_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'

const now = Date.now()
const valid = { v: 1, boot: 1, seq: 1, ts: now, d: [{ id: 'n0s', ts: now, m: { 'temp.room': 20 } }] }
const text = JSON.stringify(valid)
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
let lastSeq = 1
/** A message with its own number and one child that is wrong in one part. */
const child = (part: object): string =>
  JSON.stringify({ ...valid, seq: ++lastSeq, d: [{ ...valid.d[0], ...part }] })

/** Messages written by hand: each is wrong in one way only. */
const handWritten: readonly string[] = [
  '',
  'null',
  '[]',
  '0',
  'NaN',
  '\u0000',
  text.slice(0, -1),
  `${text}${text}`,
  nested(10_000),
  `{"d":${nested(5_000)}}`,
  JSON.stringify({ ...valid, v: 2 }),
  JSON.stringify({ ...valid, boot: -1 }),
  JSON.stringify({ ...valid, boot: 2 ** 32 }),
  JSON.stringify({ ...valid, seq: 1.5 }),
  JSON.stringify({ ...valid, seq: '1' }),
  JSON.stringify({ ...valid, ts: 0 }),
  JSON.stringify({ ...valid, ts: 'yesterday' }),
  JSON.stringify({ ...valid, d: [] }),
  JSON.stringify({ ...valid, d: {} }),
  JSON.stringify({ ...valid, d: Array.from({ length: 101 }, () => valid.d[0]) }),
  JSON.stringify({ ...valid, d: [null, 1, 'x', [], {}] }),
  child({ id: '' }),
  child({ id: 'nobody' }),
  child({ id: '__proto__' }),
  child({ id: "'; DROP TABLE readings; --" }),
  child({ id: 'x'.repeat(10_000) }),
  child({ ts: now + DAY_MS }),
  child({ ts: 1 }),
  child({ ts: -1 }),
  child({ ts: Number.MAX_SAFE_INTEGER }),
  child({ q: 128 }),
  child({ q: -1 }),
  child({ m: {} }),
  child({ m: null }),
  child({ m: { 'temp.room': null } }),
  child({ m: { 'temp.room': '20' } }),
  child({ m: { constructor: 1 } }),
  child({ m: { 'made.up': 20 } }),
  text.replace(':20}', ':NaN}'),
  text.replace(':20}', ':1e999}'),
  text.replace(':20}', ':-1e999}'),
  text.replace('"temp.room":20', '"__proto__":{"temp.room":20}'),
  'x'.repeat(70_000),
]

/** A valid message with one byte changed to invalid JSON, a message cut short, or random bytes. */
const broken = fc.oneof(
  fc.nat({ max: text.length - 1 }).map((length) => Buffer.from(text.slice(0, length))),
  fc
    .nat({ max: text.length - 1 })
    .map((at) => Buffer.from(`${text.slice(0, at)}\u0001${text.slice(at + 1)}`)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((json) => Buffer.from(json)),
  fc.string({ maxLength: 200 }).map((string) => Buffer.from(string)),
)

/** `count` messages that must not be stored; the same in each run. */
export function createGarbage(count: number): readonly Buffer[] {
  const made = handWritten.map((message) => Buffer.from(message))
  const random = fc.sample(broken, { numRuns: 2_000, seed: 20_261_121 })
  const kinds = [...made, ...random]
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length] ?? Buffer.alloc(0))
}
