import { expect, test } from 'vitest'
import { isDatedInFuture, readBackupTime, toBackupName } from './backup-name.ts'

const at = Date.parse('2026-11-27T02:30:59.999Z')

test('the name of a backup says when it was made, in seconds', () => {
  expect(toBackupName(at)).toBe('isotherm-20261127T023059Z')
  expect(readBackupTime(toBackupName(at))).toBe(at - 999)
})

test.each(['isotherm-20261127T023059Z.part', 'photos', 'isotherm-20269927T023059Z'])(
  '%s is not the name of a backup',
  (name) => {
    expect(readBackupTime(name)).toBeUndefined()
  },
)

test('a few minutes ahead is not the future, clocks differ', () => {
  expect(isDatedInFuture(at + 9 * 60_000, at)).toBe(false)
  expect(isDatedInFuture(at + 11 * 60_000, at)).toBe(true)
})
