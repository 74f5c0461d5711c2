import { expect, test } from 'vitest'
import { toLocalInput } from './local-input.ts'

test('a date and time field shows an instant in the viewer’s zone, and parsing it returns the same instant', () => {
  const at = new Date(2026, 10, 5, 8, 4, 9).getTime()
  expect(toLocalInput(at)).toBe('2026-11-05T08:04:09')
  expect(Date.parse(toLocalInput(at))).toBe(at)
})
