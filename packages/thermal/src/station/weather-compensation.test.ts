import { celsius } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { curvePoint, type HeatingCurve } from './weather-compensation.ts'

const curve: HeatingCurve = {
  room: celsius(20),
  designOutdoor: celsius(-10),
  designSupply: celsius(50),
  designReturn: celsius(40),
  exponent: 0.3,
}

it('gives the design temperatures at design weather', () => {
  expect(curvePoint(curve, celsius(-10))).toEqual({ supply: 50, back: 40 })
})

it('gives 37.17/32.17 °C at half load: 20 + 25·0.5^(1/1.3) ± 2.5', () => {
  const point = curvePoint(curve, celsius(5))
  // 0.5^0.76923 = 0.586735; 25 times it 14.66838
  expect(point.supply).toBeCloseTo(37.1684, 3)
  expect(point.back).toBeCloseTo(32.1684, 3)
})

it('has a larger difference between supply and return at half the flow', () => {
  const point = curvePoint(curve, celsius(-10), 0.5)
  expect(point).toEqual({ supply: 55, back: 35 })
})

it('never requires less heat in colder weather, and none above room temperature', () => {
  fc.assert(
    fc.property(fc.double({ min: -30, max: 19, noNaN: true }), (outdoor) => {
      expect(curvePoint(curve, celsius(outdoor - 0.1)).supply).toBeGreaterThan(
        curvePoint(curve, celsius(outdoor)).supply,
      )
    }),
  )
  expect(curvePoint(curve, celsius(25))).toEqual({ supply: 20, back: 20 })
})

it('refuses a design weather that is not colder than the room, and a flow of zero', () => {
  expect(() => curvePoint({ ...curve, designOutdoor: celsius(20) }, celsius(0))).toThrow(RangeError)
  expect(() => curvePoint(curve, celsius(0), 0)).toThrow(RangeError)
})
