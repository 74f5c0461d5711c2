import { expect, test } from 'vitest'
import { MAX_WATCHED, toWatched } from './watched-nodes.ts'

const at = (node: string) => ({ node })

test('a few valves are subscribed by their own nodes, each once', () => {
  expect(toWatched([at('7'), at('8'), at('7')], ['4'])).toEqual(['7', '8'])
})

test('without valves, or with very many, the nodes of the page are subscribed', () => {
  expect(toWatched([], ['4'])).toEqual(['4'])
  const many = Array.from({ length: MAX_WATCHED + 1 }, (_, index) => at(String(index)))
  expect(toWatched(many.slice(1), ['4'])).toHaveLength(MAX_WATCHED)
  expect(toWatched(many, ['4'])).toEqual(['4'])
})

test('nothing is subscribed if the selection no longer exists', () => {
  expect(toWatched([], undefined)).toBeUndefined()
  expect(toWatched([at('7')], undefined)).toBeUndefined()
})
