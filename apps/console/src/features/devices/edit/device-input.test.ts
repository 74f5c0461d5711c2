import { expect, test } from 'vitest'
import { sampleDevice } from '../list/device-samples.testkit.ts'
import { deviceChangesInput, toChanges, toFormValues } from './device-input.ts'

const before = toFormValues(sampleDevice({ concentratorId: 3, limits: { minPct: 5, maxPct: 95 } }), 9)
const whole = { id: 1, version: 4, ...before, modelId: 9 }

test('only changed values are sent, so that a value that the user cannot see is never removed', () => {
  const hidden = toFormValues(sampleDevice(), 9)
  expect(toChanges({ id: 1, version: 4, ...hidden, modelId: 9, name: '新名' }, hidden)).toEqual({
    id: 1,
    version: 4,
    name: '新名',
  })
})

test('without a change nothing is sent', () => {
  expect(toChanges(whole, before)).toBeUndefined()
})

test('a value that was removed is sent as null', () => {
  expect(toChanges({ ...whole, concentratorId: null, limits: null }, before)).toEqual({
    id: 1,
    version: 4,
    concentratorId: null,
    limits: null,
  })
})

test.each([
  [[0, 0.1], [50, 4], [100, 16], true],
  [[0, 0.1], [50, 4], [90, 16], false],
  [[0, 0.1], [50, 18], [100, 16], false],
])('measured points are accepted only as a curve: %j %j %j %s', (...row) => {
  const isCurve = row.at(-1)
  const points = row.flatMap((point) =>
    Array.isArray(point) ? [{ openingPct: point[0], kvM3H: point[1] }] : [],
  )
  const input = { id: 1, version: 1, characteristic: { kind: 'measured', points } }
  expect(deviceChangesInput.safeParse(input).success).toBe(isCurve)
})
