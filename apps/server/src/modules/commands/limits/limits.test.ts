import type { Device } from '@isotherm/contract/devices'
import { expect, test } from 'vitest'
import { checkOpenings, findOpeningRefusal, toNamed } from './limits.ts'

const valve = { id: 1, kind: 'valve', name: 'V1', use: 'in-use', limits: { minPct: 20, maxPct: 80 } }
const deviceOf = (given: Partial<Device> = {}) => ({ ...valve, ...given }) as Device
const openAt = (openingPct: number, given: Partial<Device> = {}) => ({ device: deviceOf(given), openingPct })
const none: ReadonlySet<number> = new Set()

test('a valve accepts openings inside its limits, both ends included', () => {
  const reasons = [19, 20, 80, 81].map((openingPct) => findOpeningRefusal(openAt(openingPct), none)?.reason)
  expect(reasons).toEqual(['outside-limits', undefined, undefined, 'outside-limits'])
  expect(findOpeningRefusal(openAt(0, { limits: undefined }), none)).toBeUndefined()
  expect(findOpeningRefusal(openAt(100, { limits: undefined }), none)).toBeUndefined()
  expect(findOpeningRefusal(openAt(10), none)).toEqual({
    deviceId: 1,
    reason: 'outside-limits',
    minPct: 20,
    maxPct: 80,
  })
})

test('only a valve in use that is not switched off can be controlled', () => {
  expect(findOpeningRefusal(openAt(50, { kind: 'room-sensor' }), none)?.reason).toBe('not-a-valve')
  expect(findOpeningRefusal(openAt(50, { use: 'retired' }), none)?.reason).toBe('retired')
  expect(findOpeningRefusal(openAt(50), new Set([1]))?.reason).toBe('switched-off')
})

test('an error names every refused valve; those that cannot be controlled come first', () => {
  const errorOf = (requested: Parameters<typeof checkOpenings>[0]): unknown => {
    try {
      checkOpenings(requested, none)
      return undefined
    } catch (error) {
      return error
    }
  }
  expect(errorOf([openAt(50)])).toBeUndefined()
  expect(errorOf([openAt(10), openAt(50), openAt(90, { name: 'V2' })])).toMatchObject({
    code: 'command.outside-limits',
    params: { count: 2, devices: 'V1 (20–80 %), V2 (20–80 %)' },
  })
  expect(errorOf([openAt(10), openAt(50, { name: 'R1', kind: 'room-sensor' })])).toMatchObject({
    code: 'device.not-controllable',
    params: { count: 1, device: 'R1' },
  })
})

test('at most fifty devices are listed by name', () => {
  const names = Array.from({ length: 51 }, (_, index) => `V${index}`)
  expect(toNamed(names)).toEqual({ count: 51, devices: `${names.slice(0, 50).join(', ')}, …` })
  expect(toNamed(names.slice(1)).devices).toBe(names.slice(1).join(', '))
})
