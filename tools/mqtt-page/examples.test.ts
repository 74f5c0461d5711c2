import { expect, test } from 'vitest'
import { z } from 'zod'
import { documentedMessages } from './examples.ts'
import { toFieldRows } from './field-table.ts'

/** Paths of all fields of a value, written as in the table: `d[].m`. */
function listPaths(value: unknown, prefix = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listPaths(item, `${prefix}[]`))
  const object = z.record(z.string(), z.unknown()).safeParse(value)
  if (!object.success) return []
  return Object.entries(object.data).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return [path, ...listPaths(field, path)]
  })
}

test.each(Object.entries(documentedMessages))(
  'the example of %s has every field and is valid',
  (_, message) => {
    expect(message.schema.parse(message.example)).toEqual(message.example)
    const paths = new Set(listPaths(message.example))
    const fields = toFieldRows(message.schema).map(([name]) => name.replaceAll('`', ''))
    expect(fields.filter((field) => !paths.has(field))).toEqual([])
    const unclear = toFieldRows(message.schema).filter(([, type, , meaning]) => type === '' || meaning === '')
    expect(unclear).toEqual([])
  },
)
