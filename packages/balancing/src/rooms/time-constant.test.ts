import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import {
  type Building,
  computeDecay,
  steadyLoss,
  steadyState,
  stepBuilding,
  timeConstants,
} from '@isotherm/thermal/households/building'
import { describe, expect, test } from 'vitest'
import { identifyTimeConstant, type RoomHistory, USUAL_TIME_CONSTANT } from './time-constant.ts'

const HOUR_S = 3600
const DAYS = 10
const heavy: Building = {
  airToOutside: 60,
  massToOutside: 70,
  airToMass: 450,
  airCapacity: 2.5e6,
  massCapacity: 3e7,
}
const light: Building = { ...heavy, massCapacity: 6e6 }
const hoursOf = (building: Building): number => timeConstants(building).slowS / HOUR_S

interface Course {
  readonly building: Building
  readonly seed: number
  /** Share of the heat at night, from 22:00 or later until 5:00. */
  readonly nightShare: number
  readonly nightFrom?: number
  /** Heating effect of people who are at home from 18:00 to 22:00, on top of the constant gains. */
  readonly eveningK?: number
  readonly noiseK?: number
  /** Variation of the weather between days, K, and error of the heat. */
  readonly frontK?: number
  readonly swayShare?: number
}

/** Weather that hardly changes, and heat that follows it. */
const CALM = { frontK: 1, swayShare: 0.01 } as const

/** Rooms of a building in changing weather, with people in the evening and heat by the weather. */
function live(course: Course): RoomHistory {
  const { building, seed, nightShare, nightFrom = 22, eveningK, noiseK = 0.05 } = course
  const { frontK = 3, swayShare = 0.05 } = course
  const random = createRandom(seed)
  const decay = computeDecay(building, HOUR_S)
  const loss = steadyLoss(building)
  const fronts = Array.from({ length: DAYS + 1 }, () => sampleNormal(random, -3, frontK))
  const slots = 24 * DAYS
  const [roomC, outdoorC, heat] = [0, 1, 2].map(() => new Float64Array(slots))
  const state = steadyState(building, { outsideC: -3, airHeatW: 22 * loss, massHeatW: 0 })
  for (let hour = 0; hour < slots; hour++) {
    const day = Math.floor(hour / 24)
    const front = (fronts[day] ?? 0) + ((hour % 24) / 24) * ((fronts[day + 1] ?? 0) - (fronts[day] ?? 0))
    const outsideC = front + 3 * Math.sin((2 * Math.PI * ((hour % 24) - 9)) / 24)
    const isNight = hour % 24 >= nightFrom || hour % 24 < 5
    const given =
      loss * (20 - front) * (isNight ? nightShare : 1.05) * (1 + swayShare * sampleNormal(random, 0, 1))
    const isEvening = hour % 24 >= 18 && (eveningK === undefined || hour % 24 < 22)
    const people = loss * (1.5 + (isEvening ? (eveningK ?? 1.5) : 0))
    stepBuilding(building, decay, { outsideC, airHeatW: given + people, massHeatW: 0 }, state)
    if (roomC) roomC[hour] = state.airC + noiseK * sampleNormal(random, 0, 1)
    if (outdoorC) outdoorC[hour] = outsideC
    if (heat) heat[hour] = given
  }
  if (!roomC || !outdoorC || !heat) throw new Error('no history')
  return { stepS: HOUR_S, roomC, outdoorC, heat }
}

test.each([
  ['heavy', heavy],
  ['light', light],
] as const)(
  'of a %s building that is set back at night the time constant lies within the width',
  (_, building) => {
    for (const seed of [1, 2, 3, 4]) {
      const found = identifyTimeConstant(live({ building, seed, nightShare: 0.4 }))
      if (found.kind !== 'identified') throw new Error(found.kind)
      expect(found.lowS / HOUR_S).toBeLessThan(hoursOf(building))
      expect(found.highS / HOUR_S).toBeGreaterThan(hoursOf(building))
      expect(found.highS / found.lowS).toBeLessThan(6)
    }
  },
)

test('an evening with people before a night without heat does not look like slow walls', () => {
  for (const seed of [1, 2, 3]) {
    const course = { building: heavy, seed, nightFrom: 23, eveningK: 3, ...CALM }
    const found = [0.25, 0.6].map((nightShare) => identifyTimeConstant(live({ ...course, nightShare })))
    for (const each of found) {
      if (each.kind === 'not-measured') throw new Error(each.kind)
      expect(each.lowS / HOUR_S, `seed ${seed}`).toBeLessThan(hoursOf(heavy))
      expect(each.highS / HOUR_S, `seed ${seed}`).toBeGreaterThan(hoursOf(heavy))
    }
    expect(found[1], `seed ${seed}`).toMatchObject({ kind: 'identified' })
  }
})

test('light and heavy buildings are distinguished, and the unit of heat does not matter', () => {
  const of = (building: Building, factor = 1): number => {
    const history = live({ building, seed: 7, nightShare: 0.4 })
    const found = identifyTimeConstant({ ...history, heat: history.heat.map((value) => factor * value) })
    return found.kind === 'identified' ? found.timeConstantS : Number.NaN
  }
  expect(of(heavy) / of(light)).toBeGreaterThan(2)
  expect(of(light, 1e-3)).toBeCloseTo(of(light), 3)
})

test('rooms that only follow the noise of a thermostat give no information: the usual time constant stays, with its width', () => {
  const history = live({ building: heavy, seed: 3, nightShare: 1 })
  const random = createRandom(5)
  const noise = history.roomC.map(() => 20 + sampleNormal(random, 0, 0.5))
  const weather = history.outdoorC.map(() => -3)
  const found = identifyTimeConstant({
    ...history,
    roomC: noise,
    outdoorC: weather,
    heat: weather.map(() => 1),
  })
  expect(found).toMatchObject({ kind: 'not-identified', timeConstantS: HOUR_S * USUAL_TIME_CONSTANT.hours })
  expect(found).toMatchObject({ sigma: USUAL_TIME_CONSTANT.sigma })
})

test('missing hours do no harm, and with too few hours there is no result', () => {
  const history = live({ building: light, seed: 2, nightShare: 0.4 })
  const without = (values: Float64Array, isGone: (hour: number) => boolean): Float64Array =>
    values.map((value, hour) => (isGone(hour) ? Number.NaN : value))
  const whole = identifyTimeConstant(history)
  const holes = identifyTimeConstant({
    ...history,
    roomC: without(history.roomC, (hour) => hour % 7 === 3),
    heat: without(history.heat, (hour) => hour % 50 > 47),
  })
  if (whole.kind === 'not-measured' || holes.kind === 'not-measured') throw new Error('not measured')
  expect(Math.abs(Math.log(holes.timeConstantS / whole.timeConstantS))).toBeLessThan(whole.sigma)
  const kinds = [
    { ...history, roomC: without(history.roomC, (hour) => hour % 2 === 0) },
    // The weather station was installed two days before the end.
    { ...history, outdoorC: without(history.outdoorC, (hour) => hour < 24 * (DAYS - 2)) },
    { ...history, heat: history.heat.map(() => 0) },
    { ...history, roomC: history.outdoorC },
  ].map((part) => identifyTimeConstant(part).kind)
  expect(kinds).toEqual(['not-measured', 'not-measured', 'not-measured', 'not-measured'])
})

describe('gaps of heat and weather', () => {
  /** A history of `stepsPerHour` equal slots for each hour, in which heat and weather of some slots are unknown. */
  const createGap = (stepsPerHour: number, isGone: (slot: number) => boolean) => {
    const hourly = live({ building: light, seed: 2, nightShare: 0.4 })
    const repeat = (values: Float64Array): Float64Array =>
      Float64Array.from(
        { length: values.length * stepsPerHour },
        (_, k) => values[Math.floor(k / stepsPerHour)] ?? 0,
      )
    const hide = (values: Float64Array): Float64Array =>
      values.map((value, slot) => (isGone(slot) ? Number.NaN : value))
    const known = {
      roomC: repeat(hourly.roomC),
      outdoorC: repeat(hourly.outdoorC),
      heat: repeat(hourly.heat),
    }
    const history = {
      stepS: HOUR_S / stepsPerHour,
      roomC: known.roomC,
      outdoorC: hide(known.outdoorC),
      heat: hide(known.heat),
    }
    const part = (from: number, to?: number): RoomHistory => ({
      stepS: history.stepS,
      roomC: history.roomC.slice(from, to),
      outdoorC: history.outdoorC.slice(from, to),
      heat: history.heat.slice(from, to),
    })
    return { history, part }
  }

  /** Values with a straight line from slot `from` to slot `to`. */
  const connect = (values: Float64Array, from: number, to: number): Float64Array => {
    const [first, last] = [values[from] ?? Number.NaN, values[to] ?? Number.NaN]
    return values.map((value, k) =>
      k > from && k < to ? first + ((last - first) * (k - from)) / (to - from) : value,
    )
  }

  test.each([
    [1, 100, 105],
    [2, 100, 109],
  ])('of four hours are straight lines (%i slots for each hour)', (stepsPerHour, from, to) => {
    const { history } = createGap(stepsPerHour, (slot) => slot > from && slot < to)
    const straight = {
      ...history,
      outdoorC: connect(history.outdoorC, from, to),
      heat: connect(history.heat, from, to),
    }
    expect(identifyTimeConstant(history)).toEqual(identifyTimeConstant(straight))
    expect(history.heat[from + 1]).toBeNaN()
  })

  test.each([
    [1, 100, 106],
    [2, 100, 110],
  ])('that are longer end the known part (%i slots for each hour)', (stepsPerHour, from, to) => {
    const { history, part } = createGap(stepsPerHour, (slot) => slot > from && slot < to)
    expect(identifyTimeConstant(history)).toEqual(identifyTimeConstant(part(to)))
  })

  test('at the start and at the end are left out', () => {
    const { history, part } = createGap(1, (slot) => slot < 2 || slot >= 237)
    expect(identifyTimeConstant(history)).toEqual(identifyTimeConstant(part(2, 237)))
  })

  test('in all slots leave nothing to measure', () => {
    const { history } = createGap(1, () => true)
    expect(identifyTimeConstant(history)).toEqual({ kind: 'not-measured' })
  })
})

test('three days and 60 % of their room readings are the least history', () => {
  const history = live({ building: light, seed: 2, nightShare: 0.4 })
  const kindOf = (hours: number, rooms: number) =>
    identifyTimeConstant({
      stepS: HOUR_S,
      roomC: history.roomC.slice(-hours).map((room, hour) => (hour < rooms ? room : Number.NaN)),
      outdoorC: history.outdoorC.slice(-hours),
      heat: history.heat.slice(-hours),
    }).kind
  expect([kindOf(71, 71), kindOf(75, 44)]).toEqual(['not-measured', 'not-measured'])
  expect([kindOf(72, 72), kindOf(75, 45)]).not.toContain('not-measured')
})
