import { expect, test } from 'vitest'
import { createDeliveries } from './deliveries.ts'

const message = (topic: string) => ({ topic, payload: Buffer.alloc(0) })

test('an acknowledgement names its message once', () => {
  const deliveries = createDeliveries()
  const a = deliveries.add(message('a'), undefined)
  const b = deliveries.add(message('b'), undefined)
  expect(deliveries.end(b)?.topic).toBe('b')
  expect(deliveries.end(b)).toBeUndefined()
  expect(deliveries.end(a)?.topic).toBe('a')
})

test('an id in use is not assigned again', () => {
  const deliveries = createDeliveries()
  deliveries.add(message('kept'), 1)
  expect(deliveries.add(message('new'), undefined)).toBe(2)
})

test('a client that never acknowledges uses bounded memory', () => {
  const deliveries = createDeliveries()
  for (let i = 0; i < 5_000; i += 1) deliveries.add(message(String(i)), undefined)
  const left = Array.from({ length: 5_000 }, (_, i) => deliveries.end(i + 1)).filter(Boolean)
  expect(left.map((delivery) => delivery?.topic)).toEqual(
    Array.from({ length: 1_024 }, (_, i) => String(i + 3_976)),
  )
})
