import { expect, test } from 'vitest'
import { anySignal } from './any-signal.ts'

test('aborts with the first of its signals, for its reason', () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const signal = anySignal([first.signal, second.signal])
  expect(signal.aborted).toBe(false)
  second.abort('second')
  first.abort('first')
  expect(signal.aborted).toBe(true)
  expect(signal.reason).toBe('second')
})

test('is aborted from the start if one of its signals is', () => {
  const signal = anySignal([new AbortController().signal, AbortSignal.abort('left')])
  expect(signal.reason).toBe('left')
})
