import { expect, test } from 'vitest'
import { findMeasuring, markReplaced, toReplacedAt } from './replaced-curves.ts'

const old = { of: 3, deviceId: 2, imei: 'B', model: 'T', from: 100, to: 200 }
const oldest = { of: 3, deviceId: 1, imei: 'A', model: 'T', to: 100 }
const earlier = [old, oldest]

const curve = (deviceId: number, at?: number) => ({
  deviceId,
  metric: 'temp.room',
  points: at === undefined ? [] : [[at, 20, 0] as [number, number, number]],
  downsampled: false,
})

test('curves of replaced devices belong to the device that replaced them; parts without points are left out', () => {
  const marked = markReplaced([curve(3), curve(2, 150), curve(1)], earlier)
  expect(marked).toEqual([curve(3), { ...curve(2, 150), replaced: { by: 3, imei: 'B' } }])
})

test('a replacement inside the half-open span is marked once', () => {
  expect(toReplacedAt(earlier, { from: 100, to: 200 })).toEqual([100])
  expect(toReplacedAt([...earlier, { ...old, deviceId: 9 }], { from: 0, to: 201 })).toEqual([100, 200])
})

test('devices that were replaced before a range did not measure in it', () => {
  expect(findMeasuring(earlier, 100)).toEqual([old])
})
