import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorNamesZh } from '@isotherm/contract/locales/error-names.zh'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.(?:test|testkit)\.ts$/.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))

const toField = (column: string): string =>
  column.replace(/_(?<letter>[a-z\d])/g, (_, letter: string) => letter.toUpperCase())

const listMatches = (pattern: RegExp): readonly string[] =>
  sources.flatMap((text) => [...text.matchAll(pattern)].map(([, found]) => found ?? ''))

/** Columns that the operation log records: `entity.stale` names those that were changed. */
const noted = listMatches(/trackChanges\([^{]*\{([^}]*)\}/g)
const columns = noted.flatMap((definition) =>
  [...(/columns: \[([^\]]*)\]/.exec(definition)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, column]) => column),
)

test('every column that the operation log records has a name in error texts', () => {
  const fields = [...new Set(columns.map((column) => toField(column ?? '')))]
  expect(fields.length).toBeGreaterThan(50)
  expect(fields.filter((field) => !Object.hasOwn(errorNamesZh.fields, field))).toEqual([])
})

test('every entity and field that an error names by key has a name in error texts', () => {
  const entities = new Set(listMatches(/\bentity: '([\w-]+)'/g))
  expect([...entities].filter((entity) => !Object.hasOwn(errorNamesZh.entities, entity))).toEqual([])
  const fields = new Set(listMatches(/AppError\('(?:entity|device)\.[^)]*\bfield: '(\w+)'/g))
  expect([...fields].filter((field) => !Object.hasOwn(errorNamesZh.fields, field))).toEqual([])
})
