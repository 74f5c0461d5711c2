import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createQuarantineSampler } from './quarantine-sampler.ts'

const reject = (received: number, gateway = 'n1', bytes = Buffer.from('x')) =>
  ({ received, topic: 't', tenant: 'demo', gateway, reason: 'malformed-json', bytes }) as const

test('the first rejects of a gateway are stored, a flood is sampled, and all are counted', () => {
  const sampler = createQuarantineSampler()
  const entries = []
  for (let i = 0; i < 10_000; i++) entries.push(sampler.admit(reject(1_000)))
  const stored = entries.filter((entry) => entry !== undefined)
  expect(stored.length).toBe(20)
  const later = sampler.admit(reject(1_000 + HOUR_MS))
  expect(later?.count).toBe(10_000 - 20 + 1)
})

test('many gateways together stay below one limit', () => {
  const sampler = createQuarantineSampler()
  let stored = 0
  for (let i = 0; i < 5_000; i++) if (sampler.admit(reject(1_000, `n${i}`))) stored++
  expect(stored).toBe(60)
})

test('a flood of one reason leaves room for another', () => {
  const sampler = createQuarantineSampler()
  for (let i = 0; i < 5_000; i++) sampler.admit(reject(1_000, `n${i}`))
  expect(sampler.admit({ ...reject(1_000), reason: 'oversize' })).toBeDefined()
})

test('only the first bytes are stored, with the full size', () => {
  const entry = createQuarantineSampler().admit(reject(1, 'n1', Buffer.alloc(60_000)))
  expect(entry?.bytes.byteLength).toBe(4_096)
  expect(entry?.size).toBe(60_000)
})

test('a reject that waited and arrived before others does not use up their tokens', () => {
  const sampler = createQuarantineSampler()
  const isStored = (received: number) => sampler.admit(reject(received)) !== undefined
  expect([HOUR_MS, 0, HOUR_MS, 0].map(isStored)).toEqual([true, true, true, true])
})
