import { expect, test } from 'vitest'
import { curveOfPlate } from './valve-plate.ts'

test.each([
  ['DN32 Kvs16 LIN', 'linear'],
  ['dn32_lin', 'linear'],
  ['Linear control valve DN25', 'linear'],
  ['DN25 线性调节阀', 'linear'],
  ['DN32 Kvs16 EQ%', 'equal-percentage'],
  ['DN32 eq %', 'equal-percentage'],
  ['ＤＮ３２ ＥＱ％', 'equal-percentage'],
  ['Equal-percentage valve', 'equal-percentage'],
  ['DN32 等百分比', 'equal-percentage'],
  ['DN25 ball', 'quick-opening'],
  ['Quick-opening DN25', 'quick-opening'],
  ['DN25 快开', 'quick-opening'],
  ['DN25 电动球阀', 'quick-opening'],
])('%s is %s', (model, shape) => {
  expect(curveOfPlate(model)).toBe(shape)
})

test('a word for the curve is more precise than that the body is a ball', () => {
  expect(curveOfPlate('ball valve, equal percentage')).toBe('equal-percentage')
  expect(curveOfPlate('线性球阀 DN40')).toBe('linear')
})

test.each([
  'DN32 Kvs16',
  '',
  'INLINE DN32',
  'BERLIN 40',
  'Ballorex DN25',
  'LIN/EQ% DN25',
  'V-ball DN50',
  'V型球阀 DN50',
])('"%s" names no shape', (model) => {
  expect(curveOfPlate(model)).toBeUndefined()
})
