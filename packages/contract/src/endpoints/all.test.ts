import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Endpoint, toUrlPath } from '../endpoint.ts'
import { endpoints } from './all.ts'

const named: readonly [string, Endpoint][] = Object.entries(endpoints)

test('no two endpoints share a method and path', () => {
  const places = named.map(([, endpoint]) => `${endpoint.method} ${toUrlPath(endpoint)}`)
  expect(new Set(places).size).toBe(places.length)
})

test('no change is made by GET: a link or an image of another site could cause it', () => {
  const changing = named.filter(([, { method, effect }]) => method === 'GET' && effect !== 'reads')
  expect(changing.map(([name]) => name)).toEqual([])
})

test.each(named)('%s can be described as JSON schema', (_name, endpoint) => {
  expect(z.toJSONSchema(endpoint.input, { io: 'input' })).toHaveProperty('type', 'object')
  expect(z.toJSONSchema(endpoint.output, { io: 'output' })).toBeTypeOf('object')
})

/** Fields for a name that people give; other texts of the same length, such as profile ids, have rules of their own. */
const NAME_FIELD = /^(?:name|title|projectName|zh|en)$/
const NAME_LENGTH = 60
const text = z.object({
  type: z.literal('string'),
  maxLength: z.literal(NAME_LENGTH),
  pattern: z.string().optional(),
})

interface NameField {
  readonly path: string
  readonly pattern: string | undefined
}

/** The fields for names in a JSON schema, with their pattern. */
function listNameFields(schema: unknown, path = ''): readonly NameField[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, part]): readonly NameField[] => {
    const field = NAME_FIELD.test(key) ? text.safeParse(part) : undefined
    const at = `${path}/${key}`
    return field?.success ? [{ path: at, pattern: field.data.pattern }] : listNameFields(part, at)
  })
}

/** A configuration is set as a whole: its own profiles return as they are stored, and their names may be older than the rule. */
const RETURNS_STORED_NAMES = 'setGatewayConfig'

const nameFields = named
  .filter(([name, { effect }]) => effect === 'changes' && name !== RETURNS_STORED_NAMES)
  .flatMap(([name, { input }]) =>
    listNameFields(z.toJSONSchema(input, { io: 'input', reused: 'inline' }), name),
  )

test('strategy groups, profiles, irrigation and alarm targets have names', () => {
  const calls = new Set(nameFields.map(({ path }) => path.split('/')[0]))
  for (const call of [
    'addStrategy',
    'addDevProfile',
    'setIrrigationSource',
    'setIrrigationGroup',
    'addAlarmTarget',
  ])
    expect(calls).toContain(call)
})

test.each(nameFields)('a name that would break the line of a list is refused: $path', ({ pattern }) => {
  const rule = new RegExp(pattern ?? '', 'u')
  expect(['北侧 入口阀', 'north\nvalve', '\u202eevlav'].map((name) => rule.test(name))).toEqual([
    true,
    false,
    false,
  ])
})

/** The lists of a JSON schema that have no limit. */
function listEndlessLists(schema: unknown, path = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const isEndless = 'type' in schema && schema.type === 'array' && !('maxItems' in schema)
  const within = Object.entries(schema).flatMap(([key, part]) => listEndlessLists(part, `${path}/${key}`))
  return isEndless && !('prefixItems' in schema) ? [path, ...within] : within
}

test('every list of an input has a limit', () => {
  const endless = named.flatMap(([name, { input }]) =>
    listEndlessLists(z.toJSONSchema(input, { io: 'input', reused: 'inline' }), name),
  )
  expect(endless).toEqual([])
})
