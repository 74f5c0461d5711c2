import { expect, test } from 'vitest'
import { createReaderSlots } from './reader-slots.ts'

async function* count(): AsyncGenerator<number> {
  yield 1
  yield 2
}

const tooMany = expect.objectContaining({ code: 'request.too-many', params: { retryAfterS: 30 } })

test('an account that reads slowly gets no second slot until it ends', async () => {
  const slots = createReaderSlots(3)
  const slow = slots.readInSlot(1, count)
  await slow.next()
  expect(() => slots.requireFree(1)).toThrow(tooMany)
  await expect(slots.readInSlot(1, count).next()).rejects.toEqual(tooMany)
  expect(() => slots.requireFree(2)).not.toThrow()
  await slow.return(undefined)
  expect(() => slots.requireFree(1)).not.toThrow()
})

test('a caller is rejected at once when all slots are in use', async () => {
  const slots = createReaderSlots(1)
  const first = slots.readInSlot(1, count)
  await first.next()
  expect(() => slots.requireFree(2)).toThrow(tooMany)
  await first.next()
  await first.next()
  expect(() => slots.requireFree(2)).not.toThrow()
})

test('a sequence that is never read uses no slot', () => {
  const slots = createReaderSlots(1)
  slots.readInSlot(1, count)
  expect(() => slots.requireFree(2)).not.toThrow()
})
