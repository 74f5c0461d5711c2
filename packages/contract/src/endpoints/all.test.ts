import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Endpoint, toUrlPath } from '../endpoint.ts'
import { endpoints } from './all.ts'

const named: readonly [string, Endpoint][] = Object.entries(endpoints)

test('no two endpoints share a method and path', () => {
  const places = named.map(([, endpoint]) => `${endpoint.method} ${toUrlPath(endpoint)}`)
  expect(new Set(places).size).toBe(places.length)
})

test.each(named)('%s can be described as JSON schema', (_name, endpoint) => {
  expect(z.toJSONSchema(endpoint.input, { io: 'input' })).toHaveProperty('type', 'object')
  expect(z.toJSONSchema(endpoint.output, { io: 'output' })).toBeTypeOf('object')
})
