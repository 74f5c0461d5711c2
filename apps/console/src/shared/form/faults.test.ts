import { expect, test } from 'vitest'
import { z } from 'zod'
import { findFaults, isRequired } from './faults.ts'

const schema = z.object({
  name: z.string().min(2).max(4),
  tel: z.string().regex(/^\d*$/).optional(),
  periodS: z.number().int().min(10).max(60),
  roleIds: z.array(z.number()).min(1).max(2),
})
const right = { name: 'abc', tel: '1', periodS: 30, roleIds: [1] }

test('an accepted record has no faults', () => {
  expect(findFaults(schema, right)).toEqual(new Map())
})

test.each([
  ['name', undefined, { kind: 'required' }],
  ['name', '', { kind: 'required' }],
  ['name', 'a', { kind: 'tooShort', limit: 2 }],
  ['name', 'abcde', { kind: 'tooLong', limit: 4 }],
  ['tel', 'x', { kind: 'format' }],
  ['periodS', 5, { kind: 'below', limit: 10 }],
  ['periodS', 90, { kind: 'above', limit: 60 }],
  ['periodS', 30.5, { kind: 'format' }],
  ['roleIds', [], { kind: 'required' }],
  ['roleIds', [1, 2, 3], { kind: 'tooMany', limit: 2 }],
])('the value of %s = %j has the fault %j', (name, value, fault) => {
  expect(findFaults(schema, { ...right, [name]: value })).toEqual(new Map([[name, fault]]))
})

test('a field is not required if the schema accepts what its emptiness means', () => {
  const placed = z.object({ parentId: z.number().nullable() })
  expect(isRequired(placed, {}, 'parentId')).toBe(true)
  expect(isRequired(placed, {}, 'parentId', null)).toBe(false)
})

test('a field is required if the schema refuses its absence', () => {
  expect(['name', 'tel', 'periodS'].map((name) => isRequired(schema, right, name))).toEqual([
    true,
    false,
    true,
  ])
})
