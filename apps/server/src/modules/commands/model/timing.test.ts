import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { isSleeping, toConfirmDeadline, toRadioValidityMs, toStrokeDeadline, toValidityMs } from './timing.ts'

test('a command is valid for a minute plus a second for each command before it, and for two days if the device sleeps', () => {
  expect(toValidityMs(false, 0)).toBe(MINUTE_MS)
  expect(toValidityMs(false, 7)).toBe(MINUTE_MS + 7_000)
  expect(toValidityMs(true, 7)).toBe(2 * DAY_MS)
  expect(toRadioValidityMs(600)).toBe(31 * MINUTE_MS)
})

test('a directly connected device with a period of five minutes or more sleeps', () => {
  const valve = { kind: 'valve', periodS: 300 } as const
  expect(isSleeping(valve)).toBe(true)
  expect(isSleeping({ ...valve, periodS: 299 })).toBe(false)
  expect(isSleeping({ ...valve, concentratorId: 5 })).toBe(false)
  expect(isSleeping({ kind: 'concentrator', periodS: 300 })).toBe(false)
})

test('a valve has five minutes to move, and three report periods and half a minute to confirm', () => {
  expect(toStrokeDeadline(1_000)).toBe(1_000 + 5 * MINUTE_MS)
  expect(toConfirmDeadline(1_000, 60)).toBe(1_000 + 180_000 + 30_000)
})
