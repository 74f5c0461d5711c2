import { createTestClickhouse, type TestDatabase } from '@isotherm/engines/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dumpReadings, openReadings } from './dump-readings.ch.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestClickhouse()
})
afterEach(() => database.drop())

async function run(...queries: readonly string[]): Promise<void> {
  const client = openReadings(database.url)
  try {
    for (const query of queries) await client.command({ query })
  } finally {
    await client.close()
  }
}

test.each([
  ['gets a column', 'ALTER TABLE later ADD COLUMN m UInt8'],
  ['is new', 'CREATE TABLE newest (n UInt32) ENGINE = MergeTree ORDER BY n'],
  ['disappears', 'DROP TABLE earlier SYNC'],
])('a table that %s beside the backup makes it fail', async (_what, change) => {
  await run(
    'CREATE TABLE earlier (n UInt32) ENGINE = MergeTree ORDER BY n AS SELECT number FROM numbers(10)',
    'CREATE TABLE later (n UInt32) ENGINE = MergeTree ORDER BY n AS SELECT number FROM numbers(10)',
  )
  let isChanged = false
  const dumping = dumpReadings(
    database.url,
    async (name, source) => {
      let bytes = 0
      for await (const part of source) bytes += part.length
      if (!isChanged) await run(change)
      isChanged = true
      return { name, bytes, sha256: '' }
    },
    [],
  )
  await expect(dumping).rejects.toThrow('the tables of ClickHouse were changed meanwhile')
})
