import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { expect, test } from 'vitest'
import { createPolledDevice, dueAt } from './polled-device.ts'

const START = Date.UTC(2026, 10, 27, 12)
const PERIOD_MS = 60_000

function createDevice() {
  const profileData = shippedProfiles.find(({ id }) => id === 'heat-meter-cjt188')
  if (profileData === undefined) throw new Error('no profile')
  const device = {
    serial: 'M1',
    address: '00001112345678',
    profile: profileData.id,
    pollPeriodS: 60,
    profileData,
  }
  return createPolledDevice(device, 'L1', undefined, 3_000)
}

test('a clock that goes back by hours polls again within a period, also between two attempts', () => {
  const device = createDevice()
  device.slot = device.clock.slotAt(START)
  device.notBefore = START + device.retryMs
  const back = START - 5 * 3_600_000
  expect(dueAt(device, back)).toBeLessThanOrEqual(back + PERIOD_MS)
})

test('a clock that goes ahead polls at once', () => {
  const device = createDevice()
  device.slot = device.clock.slotAt(START)
  const ahead = START + 5 * 3_600_000
  expect(dueAt(device, ahead)).toBeLessThanOrEqual(ahead)
})
