import { buffer } from 'node:stream/consumers'
import { createTestClickhouse } from '@isotherm/engines/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openReadings } from './dump-readings.ch.ts'
import { splitNativeBlocks } from './native-blocks.ts'

let url: string
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestClickhouse()
  url = database.url
  drop = database.drop
})
afterAll(() => drop())

async function select(query: string): Promise<Buffer> {
  const client = openReadings(url)
  try {
    const { stream } = await client.exec({ query: `${query} FORMAT Native` })
    return await buffer(stream)
  } finally {
    await client.close()
  }
}

async function* inParts(bytes: Buffer, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

async function collect(source: AsyncIterable<Uint8Array>) {
  const blocks = []
  for await (const block of splitNativeBlocks(source)) blocks.push(block)
  return blocks
}

const everyType = `SELECT toUInt8(number) AS a, toUInt16(number) AS b, toUInt32(number) AS c, number AS d,
  toInt64(number) AS e, toFloat64(number) AS f, toDate(number % 60000) AS g, toDateTime(number, 'UTC') AS h,
  toDateTime64(number, 3, 'UTC') AS i, repeat('x', number % 300) AS j, CAST(toLowCardinality(toString(number % 5)), 'String') AS k,
  toFixedString('abc', 3) AS l, arrayMap(n -> toUInt8(n), range(number % 4)) AS m,
  arrayMap(n -> repeat('y', n), range(number % 3)) AS n FROM numbers(100000) SETTINGS max_block_size = 30000`

test('blocks of the engine are cut between them, however the bytes arrive', async () => {
  const bytes = await select(everyType)
  for (const size of [1_000_003, 40_000]) {
    const blocks = await collect(inParts(bytes, size))
    expect(blocks.length).toBeGreaterThan(1)
    expect(blocks.reduce((sum, { rows }) => sum + rows, 0)).toBe(100_000)
    expect(blocks[0]?.columns).toEqual([...'abcdefghijklmn'])
    expect(Buffer.concat(blocks.map((block) => block.bytes)).equals(bytes)).toBe(true)
  }
})

test('an end within a block, and the text of an error after blocks, are refused', async () => {
  const bytes = await select('SELECT number AS n, toString(number) AS s FROM numbers(1000)')
  for (const end of [1, 5, 100, bytes.length - 1])
    await expect(collect(inParts(bytes.subarray(0, end), 64))).rejects.toThrow('end within a block')
  const failed = Buffer.concat([bytes, Buffer.from('Code: 241. DB::Exception: Memory limit exceeded')])
  await expect(collect(inParts(failed, 64))).rejects.toThrow(/within a block|something else than rows/)
})

test('a type whose length is unknown is refused by its name', async () => {
  const bytes = await select("SELECT map('a', 1) AS m")
  await expect(collect(inParts(bytes, 64))).rejects.toThrow('columns of type Map(String, UInt8) cannot be')
})
