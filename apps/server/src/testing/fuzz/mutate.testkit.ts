import type { Random } from '@isotherm/kernel/random'

/** Longest input: larger ones cost time and find nothing more, except the repetition of one piece. */
const MAX_BYTES = 4_096
const MAX_CHANGES = 4

/** Texts at which readers of any format went wrong before: ends of ranges, keys of every object, surrogates. */
const commonWords: readonly string[] = [
  '',
  '0',
  '-0',
  '-1',
  '1e999',
  '9007199254740993',
  '4294967296',
  '0.1',
  'null',
  'true',
  '""',
  '{}',
  '[]',
  '{"__proto__":{"x":1}}',
  '{"toString":1,"valueOf":1}',
  'constructor',
  '\\ud800',
  '\\u0000',
  '\u0000',
  '\uFEFF',
  '\u202e',
  '"',
  '\\',
  ',',
  ':',
  '\r\n',
  '\t',
  '[[[[[[[[[[[[[[[[',
  '{"a":'.repeat(20),
]

/** Changes inputs a little: bytes, pieces of other inputs, words. The same for the same numbers. */
export function createMutator(random: Random, words: readonly string[]) {
  const below = (limit: number): number => Math.floor(random() * limit)
  const allWords = [...commonWords, ...words].map((word) => Buffer.from(word))
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)]

  function cut(input: Buffer, from: number, length: number, inserted: Buffer): Buffer {
    return Buffer.concat([input.subarray(0, from), inserted, input.subarray(from + length)])
  }

  const changes: readonly ((input: Buffer, other: Buffer) => Buffer)[] = [
    // A byte more, another byte, a byte less.
    (input) => cut(input, below(input.length + 1), below(2), Buffer.from([below(256)])),
    (input) => cut(input, below(input.length + 1), 1, Buffer.alloc(0)),
    // One bit.
    (input) => {
      const changed = Buffer.from(input)
      const at = below(input.length)
      if (input.length > 0) changed[at] = (input[at] ?? 0) ^ (1 << below(8))
      return changed
    },
    // A piece is lost, or is there twice.
    (input) => cut(input, below(input.length + 1), below(16), Buffer.alloc(0)),
    (input) => {
      const from = below(input.length + 1)
      const piece = input.subarray(from, from + below(64))
      return cut(input, from, 0, Buffer.concat(Array.from({ length: 1 + below(8) }, () => piece)))
    },
    // The end of another input.
    (input, other) =>
      Buffer.concat([input.subarray(0, below(input.length + 1)), other.subarray(below(other.length + 1))]),
    // A word, inserted or in place of something.
    (input) => cut(input, below(input.length + 1), below(8), pick(allWords) ?? Buffer.alloc(0)),
    // In place of a value of JSON: behind a colon, up to the next comma or bracket.
    (input) => {
      const from = input.indexOf(':', below(input.length + 1)) + 1
      const length = Math.max(
        0,
        input.subarray(from).findIndex((byte) => byte === 0x2c || byte === 0x7d || byte === 0x5d),
      )
      return cut(input, from, length, pick(allWords) ?? Buffer.alloc(0))
    },
  ]

  return (input: Buffer, other: Buffer): Buffer => {
    let changed = input
    for (let left = 1 + below(MAX_CHANGES); left > 0; left -= 1)
      changed = pick(changes)?.(changed, other) ?? changed
    return changed.subarray(0, MAX_BYTES)
  }
}
