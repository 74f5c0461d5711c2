import { expect, test } from 'vitest'
import { assumedValve, kvsOfPlate, usualKvs } from './assumed-valve.ts'

test('Kvs on a plate counts before the width, in any spelling', () => {
  const plates = ['dn25 KVS:6.3', 'DN25 kvs=6.3', 'DN25 Kvs 6.3', 'DN25 Kvs6.3', 'Kvs 12']
  expect(plates.map(kvsOfPlate)).toEqual([6.3, 6.3, 6.3, 6.3, 12])
})

test('a plate with a Kvs of zero, or an unusual width, gives nothing better than its width', () => {
  expect(kvsOfPlate('DN25 Kvs0')).toBe(10)
  expect(kvsOfPlate('DN33')).toBeUndefined()
})

test('a flow beyond all usual valves gets the largest', () => {
  // 8.8 kg/s are 32 m³/h: 143 m³/h at 1 bar.
  expect(usualKvs(8.8)).toBe(160)
  expect(usualKvs(50)).toBe(160)
  expect(usualKvs(0)).toBe(4)
})

test('an assumed valve has an equal-percentage curve with a rangeability of 40', () => {
  expect(assumedValve(16)).toEqual({ kind: 'equal-percentage', kvs: 16, rangeability: 40 })
})
