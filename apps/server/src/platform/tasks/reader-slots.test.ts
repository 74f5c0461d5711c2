import { expect, test } from 'vitest'
import { createPlaces } from './reader-slots.ts'

async function* count(): AsyncGenerator<number> {
  yield 1
  yield 2
}

const tooMany = expect.objectContaining({ code: 'request.too-many', params: { retryAfterS: 30 } })

test('an account that reads slowly has one place and is refused another until it ends', async () => {
  const places = createPlaces(3)
  const slow = places.inPlace(1, count)
  await slow.next()
  expect(() => places.need(1)).toThrow(tooMany)
  await expect(places.inPlace(1, count).next()).rejects.toEqual(tooMany)
  expect(() => places.need(2)).not.toThrow()
  await slow.return(undefined)
  expect(() => places.need(1)).not.toThrow()
})

test('whoever comes when all places are taken is refused at once', async () => {
  const places = createPlaces(1)
  const first = places.inPlace(1, count)
  await first.next()
  expect(() => places.need(2)).toThrow(tooMany)
  await first.next()
  await first.next()
  expect(() => places.need(2)).not.toThrow()
})

test('a place that nobody read from was never taken', () => {
  const places = createPlaces(1)
  places.inPlace(1, count)
  expect(() => places.need(2)).not.toThrow()
})
