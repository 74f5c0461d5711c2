import { createHash } from 'node:crypto'
import { createTestClickhouse } from '@isotherm/engines/testkit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { clickhouseMigrations } from '../../modules.ts'
import { toOneServer } from '../../testing/cluster.testkit.ts'
import { createClickhouse, createReadRows } from './clickhouse.ch.ts'
import { toStatements } from './table-change.ts'

const cluster = { name: 'heat', database: 'isotherm' }
const migrations = clickhouseMigrations.flatMap((module) => Object.values(module.migrations))

test('the statements for one server are the ones that installations have applied', () => {
  const statements = clickhouseMigrations.flatMap(({ module, migrations: all }) =>
    Object.entries(all).map(([name, change]) => `${module}/${name} ${toStatements(change, {}).join(';')}`),
  )
  // Applied changes never change; a new one comes after them and is not counted here.
  const applied = statements.filter(
    (statement) => !/^(?:telemetry\/02[1-9]|history\/00[7-9])/.test(statement),
  )
  expect(applied).toHaveLength(26)
  const text = applied.join('\n').replaceAll(/\s+/g, ' ')
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    'ac3935ce3a8d6930591205a812555120399b7006102e735fa9a730c8911669a1',
  )
})

test('the statements for a cluster run on all servers, replicate each table that stores rows, and are valid', async () => {
  const store = await createTestClickhouse()
  const client = createClickhouse({ clickhouseUrl: store.url })
  try {
    for (const change of migrations)
      for (const statement of toStatements(change, { cluster })) {
        expect(statement).toContain(' ON CLUSTER heat')
        if (statement.includes('MergeTree'))
          expect(statement).toMatch(
            /_local ON CLUSTER.*Replicated\w*MergeTree\('\/clickhouse\/tables\/\{shard\}/s,
          )
        const [formatted] = await createReadRows(client)(
          z.tuple([z.string()]),
          'SELECT formatQuery({statement: String})',
          { statement },
        )
        expect(formatted?.[0]).toContain('ON CLUSTER heat')
      }
  } finally {
    await client.close()
    await store.drop()
  }
})

test('a statement for a cluster loses only what one server cannot do', () => {
  const creation = migrations.find((change) => 'engine' in change)
  const [local = ''] = creation ? toStatements(creation, { cluster }) : []
  expect(toOneServer(local)).toContain('readings_local (')
  expect(toOneServer(local)).toContain('ENGINE = ReplacingMergeTree(received)')
})
