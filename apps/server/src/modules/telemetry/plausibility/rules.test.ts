import { HOUR_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkHours, checkMeterClock } from './clocks.ts'
import { checkClosedValve, checkNoHeat, checkReversed, checkSwapped, isHeatFlat } from './installation.ts'
import { emptyReading, type MeterReading, unknownMeter, type Verdict } from './meter-reading.ts'
import { checkPowerBalance, checkScale, coefficientOf, findScale, toPowerRatio } from './power-balance.ts'
import { checkEnergyGrowth, checkJump, judgeEnergy } from './registers.ts'
import { checkFrozen, checkRange, checkSensors } from './sensors.ts'

const reading = (given: Partial<MeterReading>): MeterReading => ({
  ...emptyReading,
  ts: 100 * HOUR_MS,
  ...given,
})
const isBad = (verdict: Verdict): boolean | undefined =>
  verdict === undefined ? undefined : verdict !== 'good'

/** Public frames of rscada/libmbus: power kW, flow m³/h, supply and return °C, ratio to 1.163·q·ΔT. */
const frames = [
  ['Kamstrup Multical 601', 34.7, 0.543, 55.53, 0, 0.99],
  ['Aquametro CALEC MB', 13_426.156_25, 107.944_733, 135.826_416, 28.958_035, 1.001],
  ['Sensus PolluStat', -0.170_721_784, 3.230_039, 31.147_324, 31.1931, 0.993],
  ['oms_frame3', 0.3297, 0.127, 44.3, 25.1, 0.116],
] as const

test.each(frames)('R2: %s, %f kW at %f m³/h', (_name, powerKw, flowM3h, supplyC, returnC, expected) => {
  const now = reading({ powerKw, flowM3h, supplyC, returnC })
  const to1163 = (toPowerRatio(now) * coefficientOf(now)) / 1.163
  expect(to1163).toBeCloseTo(expected, 3)
})

test.each([
  ['a meter that reckons right', 34.7, 0.543, 85.53, 30, false],
  ['the synthetic frame', 0.3297, 0.127, 44.3, 25.1, true],
  ['a difference below 3 K', 0.1, 1, 31, 29, undefined],
  ['no flow to speak of', 0.1, 0.01, 60, 40, undefined],
  ['15 % off at a difference of 5 K', 1.15 * 1.155 * 5, 1, 35, 30, false],
  ['15 % off at a difference of 20 K', 1.15 * 1.15 * 20, 1, 50, 30, true],
  ['a power nobody reported', Number.NaN, 1, 50, 30, undefined],
])('R2: %s', (_name, powerKw, flowM3h, supplyC, returnC, expected) => {
  const now = reading({ powerKw, flowM3h, supplyC, returnC })
  expect(isBad(checkPowerBalance(now, unknownMeter))).toBe(expected)
})

test.each([
  [0.1, '0.1'],
  [9.2, '10'],
  [0.0105, '0.01'],
  [0.285, 'MWh-GJ'],
  [3.5, 'GJ-MWh'],
  [0.116, undefined],
  [1.2, undefined],
])('R3: a ratio of %f is the scale %s', (ratio, scale) => {
  expect(findScale(ratio)).toBe(scale)
})

test('R3: a meter that reports a tenth of its power has the wrong scale', () => {
  const now = reading({ powerKw: 2.3, flowM3h: 1, supplyC: 50, returnC: 30 })
  expect(checkScale(now, unknownMeter)).toMatchObject({ bad: { scale: '0.1' } })
})

const grew = (energyKwh: number, volumeM3 = 10) =>
  checkEnergyGrowth(
    reading({
      energyKwh: 1_000 + energyKwh,
      volumeM3: 500 + volumeM3,
      powerKw: 230,
      supplyC: 50,
      returnC: 30,
    }),
    reading({ ts: 99 * HOUR_MS, energyKwh: 1_000, volumeM3: 500, powerKw: 230, supplyC: 50, returnC: 30 }),
    unknownMeter,
  )

test.each([
  ['as power and volume say', 230, 10, false],
  ['within 15 % and two steps', 260, 10, false],
  ['by less than power says', 150, 6.5, true],
  ['by more than the water could bring', 230, 5, true],
])('R4: energy grew %s', (_name, energyKwh, volumeM3, expected) => {
  expect(isBad(grew(energyKwh, volumeM3))).toBe(expected)
})

test('R4: over more than two hours, two readings are not sufficient for a mean power', () => {
  const before = reading({ ts: 90 * HOUR_MS, energyKwh: 0, powerKw: 230 })
  expect(checkEnergyGrowth(reading({ energyKwh: 5, powerKw: 230 }), before, unknownMeter)).toBeUndefined()
})

test.each([
  ['grown', 1_001, 1_000, 9_000, 8_999],
  ['grown', 1_000, 1_000, 9_000, 8_999],
  ['jitter', 994, 1_000, 9_000, 8_999],
  ['fall', 993, 1_000, 9_000, 8_999],
  ['rollover', 120, 999_980, 9_000, 8_999],
  ['fall', 200_000, 999_980, 9_000, 8_999],
  ['fall', 120, 500_000, 9_000, 8_999],
  ['meter-change', 3, 500_000, 1, 8_999],
  ['fall', 3, 500_000, Number.NaN, Number.NaN],
  ['unknown', Number.NaN, 500_000, 1, 8_999],
])(
  'R5: %s from energy %f after %f, hours %f after %f',
  (step, energyKwh, energyBefore, hoursH, hoursBefore) => {
    const before = reading({ ts: 99 * HOUR_MS, energyKwh: energyBefore, hoursH: hoursBefore })
    expect(judgeEnergy(reading({ energyKwh, hoursH }), before, unknownMeter)).toBe(step)
  },
)

test('R6: more energy than the meter can measure is a jump', () => {
  const before = reading({ ts: 99 * HOUR_MS, energyKwh: 0 })
  const household = { ...unknownMeter, maxFlowM3h: 3 }
  expect(isBad(checkJump(reading({ energyKwh: 500 }), before, household))).toBe(false)
  expect(isBad(checkJump(reading({ energyKwh: 510 }), before, household))).toBe(true)
})

test('R7: a return more than 0.5 K warmer than the supply while water flows and no heat is counted', () => {
  expect(isBad(checkSwapped(reading({ flowM3h: 1, supplyC: 35, returnC: 48 }), unknownMeter))).toBe(true)
  expect(isBad(checkSwapped(reading({ flowM3h: 1, supplyC: 35, returnC: 35.4 }), unknownMeter))).toBe(false)
  expect(checkSwapped(reading({ flowM3h: 0, supplyC: 20, returnC: 22 }), unknownMeter)).toBeUndefined()
  const anchor = { ts: 0, energyKwh: 1_000, volumeM3: 500 }
  expect(isHeatFlat(reading({ energyKwh: 1_000, volumeM3: 502 }), anchor, unknownMeter)).toBe(true)
  expect(isHeatFlat(reading({ energyKwh: 1_040, volumeM3: 502 }), anchor, unknownMeter)).toBe(false)
  expect(isHeatFlat(reading({ energyKwh: 1_000, volumeM3: 500 }), anchor, unknownMeter)).toBe(false)
})

test('R8: negative flow, or no count behind an open valve with a hot supply', () => {
  const before = reading({ ts: 99 * HOUR_MS, energyKwh: 10, volumeM3: 5 })
  const check = (given: Partial<MeterReading>) => isBad(checkReversed(reading(given), before, unknownMeter))
  expect(check({ flowM3h: -0.4 })).toBe(true)
  expect(check({ flowM3h: 0.4 })).toBe(false)
  const flat = { flowM3h: 0, energyKwh: 10, volumeM3: 5, supplyC: 45 }
  expect(check({ ...flat, openingPct: 60 })).toBe(true)
  expect(check({ ...flat, openingPct: 5 })).toBe(false)
  expect(check({ ...flat, openingPct: 60, volumeM3: 6 })).toBe(false)
})

test('R9: flow with a difference below 1 K gives no heat', () => {
  expect(isBad(checkNoHeat(reading({ flowM3h: 2, supplyC: 45, returnC: 44.5 }), unknownMeter))).toBe(true)
  expect(isBad(checkNoHeat(reading({ flowM3h: 2, supplyC: 45, returnC: 40 }), unknownMeter))).toBe(false)
  expect(checkNoHeat(reading({ flowM3h: 0, supplyC: 45, returnC: 44.5 }), unknownMeter)).toBeUndefined()
})

test('R10: flow through a closed valve', () => {
  expect(isBad(checkClosedValve(reading({ openingPct: 2, flowM3h: 0.3 }), unknownMeter))).toBe(true)
  expect(isBad(checkClosedValve(reading({ openingPct: 2, flowM3h: 0.01 }), unknownMeter))).toBe(false)
  expect(isBad(checkClosedValve(reading({ openingPct: 30, flowM3h: 0.3 }), unknownMeter))).toBe(false)
  expect(checkClosedValve(reading({ flowM3h: 0.3 }), unknownMeter)).toBeUndefined()
})

test('R11: the same registers and temperatures in every digit', () => {
  const frozen = { energyKwh: 10, volumeM3: 5, supplyC: 45.01, returnC: 38.2 }
  expect(isBad(checkFrozen(reading(frozen), reading(frozen)))).toBe(true)
  expect(isBad(checkFrozen(reading({ ...frozen, returnC: 38.21 }), reading(frozen)))).toBe(false)
  expect(checkFrozen(reading({ supplyC: 45 }), reading({ supplyC: 45 }))).toBeUndefined()
})

const PERIOD = HOUR_MS / 4
test.each([
  ['a pipe of exactly 0.00 °C', { supplyC: 0 }, {}, true],
  ['999.9 °C', { returnC: 999.9 }, {}, true],
  ['a room of 0 °C, which may be', { roomC: 0 }, {}, false],
  ['25 K in a period while water flows', { supplyC: 60 }, { supplyC: 35, flowM3h: 1 }, true],
  ['25 K as a valve opens', { supplyC: 60 }, { supplyC: 35, flowM3h: 0 }, false],
  ['25 K as a closed valve opens', { supplyC: 60 }, { supplyC: 35, openingPct: 0 }, false],
  ['21 K of a room', { roomC: 41 }, { roomC: 20 }, true],
])('R12: %s', (_name, now, before, expected) => {
  const last = reading({ ts: 100 * HOUR_MS - PERIOD, ...before })
  expect(isBad(checkSensors(reading(now), last, PERIOD, unknownMeter))).toBe(expected)
})

test('R12: a slow change over missed readings is no jump', () => {
  const last = reading({ ts: 98 * HOUR_MS, supplyC: 35, flowM3h: 1 })
  expect(isBad(checkSensors(reading({ supplyC: 60 }), last, PERIOD, unknownMeter))).toBe(false)
})

test('R1: flow and power beyond the range of the meter', () => {
  const household = { ...unknownMeter, maxFlowM3h: 3 }
  expect(isBad(checkRange(reading({ flowM3h: 6.1 }), household))).toBe(true)
  expect(isBad(checkRange(reading({ flowM3h: 5.9, powerKw: 100 }), household))).toBe(false)
  expect(isBad(checkRange(reading({ flowM3h: 1, powerKw: 900 }), household))).toBe(true)
})

test('R13: a meter clock that is off by more than ten minutes', () => {
  const at = (offsetMs: number) => isBad(checkMeterClock(reading({ meterTime: 100 * HOUR_MS + offsetMs })))
  expect([at(-599_000), at(-601_000), at(601_000)]).toEqual([false, true, true])
  expect(checkMeterClock(reading({}))).toBeUndefined()
})

test('R14: hours that differ from elapsed time by more than 5 % and a step', () => {
  const before = { ts: 76 * HOUR_MS, hoursH: 5_000 }
  const at = (hoursH: number) => isBad(checkHours(reading({ hoursH }), before, unknownMeter))
  expect([5_024, 5_022, 5_021, 5_027].map(at)).toEqual([false, false, true, true])
})

test('no rule applies to missing values', () => {
  const empty = reading({})
  const one = fc.constantFrom<keyof MeterReading>(
    'energyKwh',
    'volumeM3',
    'powerKw',
    'supplyC',
    'returnC',
    'hoursH',
  )
  fc.assert(
    fc.property(one, fc.double({ min: 1, max: 90, noNaN: true }), (field, value) => {
      const now = reading({ [field]: value })
      const verdicts = [
        checkPowerBalance(now, unknownMeter),
        checkScale(now, unknownMeter),
        checkEnergyGrowth(now, empty, unknownMeter),
        checkJump(now, empty, unknownMeter),
        checkSwapped(now, unknownMeter),
        checkReversed(now, empty, unknownMeter),
        checkNoHeat(now, unknownMeter),
        checkClosedValve(now, unknownMeter),
        checkFrozen(now, empty),
        checkSensors(now, empty, PERIOD, unknownMeter),
        checkHours(now, empty, unknownMeter),
        checkMeterClock(now),
      ]
      expect(verdicts.filter((verdict) => isBad(verdict))).toEqual([])
    }),
  )
})
