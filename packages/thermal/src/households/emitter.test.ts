import { celsius, watt } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { designFloor, designRadiator, meanExcess, signedPower } from './emitter.ts'

it('gives 1 kW at 75/65/20 and, with the exponent 1.3 of EN 442, 515 W at an excess of 30 K', () => {
  const radiator = designRadiator({
    heat: watt(1000),
    supply: celsius(75),
    back: celsius(65),
    room: celsius(20),
    capacity: 20_000,
  })
  // EN 442 rates at the arithmetic mean of 50 K, the log mean is 49.833 K: (30/49.833)^1.3 = 0.5170.
  expect(radiator.coefficient * meanExcess(55, 45) ** 1.3).toBeCloseTo(1000, 9)
  expect(radiator.coefficient * 30 ** 1.3).toBeCloseTo(517.0, 0)
  expect(1000 * (30 / 50) ** 1.3).toBeCloseTo(514.8, 1)
})

it('warms a floor of 60 m² that gives 3 kW to 24.8 °C, as 8.92·4.795^1.1 = 50 W/m² (EN 1264-2)', () => {
  const floor = designFloor(
    { heat: watt(3000), supply: celsius(40), back: celsius(34), room: celsius(20), capacity: 6e6 },
    60,
  )
  expect(floor.kind).toBe('floor')
  expect(floor.coefficient * 4.795 ** 1.1).toBeCloseTo(3000, -1)
  // ṁc = 500 W/K, ln((40 − 24.795)/(34 − 24.795)) = 0.5018.
  expect(floor.kind === 'floor' && floor.waterConductance).toBeCloseTo(250.9, 0)
})

it('refuses a floor that must be warmer than its return', () => {
  const design = {
    heat: watt(3000),
    supply: celsius(35),
    back: celsius(30),
    room: celsius(20),
    capacity: 6e6,
  }
  expect(() => designFloor(design, 20)).toThrow(RangeError)
})

const logMean = (one: number, other: number): number => (one - other) / Math.log(one / other)

it('uses the log mean while water cools along the emitter, and otherwise the outlet', () => {
  expect(meanExcess(30, 20)).toBeCloseTo(24.663, 3)
  expect(meanExcess(-30, -20)).toBeCloseTo(-24.663, 3)
  expect(meanExcess(10, 20)).toBe(20)
  expect(meanExcess(10, -2)).toBe(-2)
  expect(meanExcess(0, 5)).toBe(5)
  // Both are equal at the limit.
  expect(meanExcess(20.000001, 20)).toBeCloseTo(20, 5)
})

it('takes heat from the room if the emitter is colder', () => {
  expect(signedPower(-8, 1.3)).toBe(-(8 ** 1.3))
})

it('uses the outlet if only one end of the emitter is warmer than the room, or neither differs from it', () => {
  expect(meanExcess(-10, -5)).toBeCloseTo(-logMean(10, 5), 9)
  expect(meanExcess(-5, -10)).toBe(-10)
  expect(meanExcess(-10, 5)).toBe(5)
  expect(meanExcess(10, 0)).toBe(0)
  expect(meanExcess(-10, 0)).toBe(0)
  expect(meanExcess(20, 20)).toBe(20)
})

it('refuses a floor whose return is just as warm as its screed', () => {
  // 8.92·10 m²·5^1.1 W warm the screed to 25 °C.
  const heat = watt(89.2 * 5 ** 1.1)
  const design = { heat, supply: celsius(40), room: celsius(20), capacity: 1e6 }
  expect(() => designFloor({ ...design, back: celsius(24.99) }, 10)).toThrow('a floor of 10 m² would need 25')
  expect(designFloor({ ...design, back: celsius(25.01) }, 10).exponent).toBe(1.1)
})

it('gives and takes the same heat at the same difference from the room', () => {
  expect([4, 0].map((excess) => signedPower(excess, 1.5))).toEqual([8, 0])
  expect(signedPower(-4, 1.5)).toBe(-8)
})
