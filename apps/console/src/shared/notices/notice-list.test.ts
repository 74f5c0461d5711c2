import { expect, test } from 'vitest'
import { addNotice, type Notice } from './notice-list.ts'

const error = (text: string) => ({ level: 'error' as const, text, durationS: 5 })
const add = (texts: readonly string[], now = 0): readonly Notice[] =>
  texts.reduce<readonly Notice[]>((notices, text) => addNotice(notices, error(text), now), [])

test('§8 error toast: the same text is shown once, until 5 s after its last occurrence', () => {
  const once = add(['no network'])
  const twice = addNotice(once, error('no network'), 3_000)
  expect(twice).toHaveLength(1)
  expect(twice[0]).toMatchObject({ until: 8_000, count: 1 })
})

test('two different failures are shown separately; three become one message with their number', () => {
  expect(add(['a', 'b']).map(({ text }) => text)).toEqual(['a', 'b'])
  expect(add(['a', 'b', 'c'])).toMatchObject([{ text: 'c', count: 3 }])
  expect(add(['a', 'b', 'c', 'd'])).toMatchObject([{ text: 'd', count: 4 }])
})

test('expired messages do not count', () => {
  expect(addNotice(add(['a', 'b'], 0), error('c'), 5_000)).toMatchObject([{ text: 'c', count: 1 }])
})

test('many failures do not remove other messages', () => {
  const warned = addNotice([], { level: 'warning', text: 'mind', durationS: 60 }, 0)
  const all = ['a', 'b', 'c'].reduce((notices, text) => addNotice(notices, error(text), 1), warned)
  expect(all.map(({ text }) => text)).toEqual(['mind', 'c'])
})
