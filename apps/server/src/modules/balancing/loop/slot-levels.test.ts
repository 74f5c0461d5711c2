import { expect, test } from 'vitest'
import { toConsumer } from './consumer.testkit.ts'
import { createGroupFinder, toStepGoal } from './slot-levels.ts'

test('a path belongs to the group of the place above it, to the upper one if groups are nested', () => {
  const find = createGroupFinder([['/1/4/', '/1/5/7/'], ['/1/5/'], ['/1/4/']])
  expect(['/1/4/', '/1/4/12/', '/1/5/', '/1/5/7/', '/1/5/71/2/'].map(find)).toEqual([0, 0, 1, 1, 1])
  expect(['/1/', '/1/40/', '/2/4/'].map(find)).toEqual([undefined, undefined, undefined])
})

test('the time to find the groups of ten thousand places grows with their number only', () => {
  const places = Array.from({ length: 10_000 }, (_, at) => `/1/2/${at}/`)
  const find = createGroupFinder(
    Array.from({ length: 20 }, (_, group) => places.filter((_path, at) => at % 20 === group)),
  )
  expect(places.map(find)).toEqual(places.map((_, at) => at % 20))
})

test('a floor returns water a kelvin colder, for equal returns and for equal means', () => {
  const loop = { consumers: [toConsumer(1, 'radiator'), toConsumer(2, 'floor')] }
  const returns = toStepGoal({ kind: 'temperature', target: 'return' }, loop, [])
  expect(returns).toMatchObject({ offsetK: Float64Array.of(0, -1) })
  // With supply at 45 °C and a common mean of 42.5 °C radiators return 40 °C, floors 2 · 42 − 45 = 39 °C.
  const means = toStepGoal({ kind: 'temperature', target: 'mean' }, loop, [])
  expect(means).toMatchObject({ offsetK: Float64Array.of(0, -0.5) })
})
