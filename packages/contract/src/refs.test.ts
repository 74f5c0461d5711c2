import { expect, test } from 'vitest'
import { z } from 'zod'
import { listReferences, listValues, refersTo } from './refs.ts'

const device = refersTo('device', z.number().int())
const node = refersTo('node', z.string())

test('references of a schema are found at any depth', () => {
  const schema = z.object({
    id: device,
    name: z.string(),
    parents: z.array(node).optional(),
    items: z.array(z.object({ device: device.nullable(), at: z.number() })).default([]),
    choice: z.union([z.object({ node }), z.object({ node: node.optional(), more: z.string() })]),
  })
  expect(listReferences(schema)).toEqual([
    { reference: 'device', place: ['id'] },
    { reference: 'node', place: ['parents', '*'] },
    { reference: 'device', place: ['items', '*', 'device'] },
    { reference: 'node', place: ['choice', 'node'] },
  ])
})

test('a refined schema keeps its mark', () => {
  expect(listReferences(z.object({ id: refersTo('device', z.number().min(1).max(9)) }))).toHaveLength(1)
})

test('values at a path are read, and missing ones are skipped', () => {
  const input = { items: [{ device: 3 }, { device: null }, {}, { device: 4 }], other: { items: 5 } }
  expect(listValues(input, ['items', '*', 'device'])).toEqual([3, 4])
  expect(listValues(input, ['missing', '*'])).toEqual([])
  expect(listValues(input, ['other', 'items', '*'])).toEqual([])
})
