import { celsius, kilogramPerSecond } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { returnTemperature } from '@isotherm/thermal/households/radiator'
import { describe, expect, test } from 'vitest'
import { estimateRooms } from './room-estimate.ts'

const COUNT = 200
const random = createRandom(11)
const list = (make: (i: number) => number): Float64Array =>
  Float64Array.from({ length: COUNT }, (_, i) => make(i))

/**
 * Buildings whose rooms differ by 1 K, with emitters and envelopes that differ by 3 %, and sensors with errors of 0.7
 * K.
 */
const roomC = list(() => sampleNormal(random, 20, 1))
const areaM2 = list(() => 1000 + 400 * random())
const flowKgS = areaM2.map((area) => (area * 3) / 3600)
const coefficient = areaM2.map((area) => 0.52 * area * (1 + sampleNormal(random, 0, 0.03)))
const returnC = list((i) =>
  returnTemperature(
    { coefficient: coefficient[i] ?? 0, exponent: 1.3 },
    kilogramPerSecond(flowKgS[i] ?? 0),
    celsius(46),
    celsius(roomC[i] ?? 0),
  ),
)
const snapshot = {
  outdoorC: -5,
  supplyC: list(() => 46),
  returnC,
  flowKgS,
  exponent: list(() => 1.3),
  areaM2,
  sensorC: roomC.map((room) => room + sampleNormal(random, 0, 0.7)),
  sensorSigmaK: 0.7,
  heatSigma: 0.01,
}
const rms = (values: Float64Array, indices = values.map((_, i) => i)): number =>
  Math.sqrt(indices.reduce((sum, i) => sum + ((values[i] ?? 0) - (roomC[i] ?? 0)) ** 2, 0) / indices.length)

test('sensors, emitters and envelopes together estimate rooms better than sensors alone', () => {
  expect(rms(snapshot.sensorC)).toBeGreaterThan(0.6)
  expect(rms(estimateRooms(snapshot).roomC)).toBeLessThan(0.55)
})

test('rooms that still cool are estimated by their emitters, because their envelopes claim that they are cold', () => {
  // Equal buildings at 20 °C; since an hour the last one gets half of its flow.
  const flows = Float64Array.of(1, 1, 1, 0.5)
  const emitter = { coefficient: 500, exponent: 1.3 }
  const all = (value: number): Float64Array => new Float64Array(4).fill(value)
  const seen = {
    ...snapshot,
    flowKgS: flows,
    returnC: flows.map((flow) =>
      returnTemperature(emitter, kilogramPerSecond(flow), celsius(46), celsius(20)),
    ),
    supplyC: all(46),
    exponent: all(1.3),
    areaM2: all(1000),
    sensorC: Float64Array.of(20, 20, 20, Number.NaN),
  }
  expect(estimateRooms(seen).roomC[3]).toBeLessThan(19.5)
  const { roomC: estimated } = estimateRooms({ ...seen, roomsMove: Uint8Array.of(0, 0, 0, 1) })
  expect(estimated[3]).toBeCloseTo(20, 3)
})

test('the stated standard deviation holds', () => {
  const { roomC: estimated, sigmaK } = estimateRooms(snapshot)
  const within = estimated.filter((value, i) => Math.abs(value - (roomC[i] ?? 0)) < 2 * (sigmaK[i] ?? 0))
  expect(within.length / COUNT).toBeGreaterThan(0.88)
})

test('a consumer without a sensor is estimated from its emitter and envelope, with a larger error', () => {
  const sensorC = snapshot.sensorC.map((value, i) => (i < 20 ? Number.NaN : value))
  const { roomC: estimated, sigmaK } = estimateRooms({ ...snapshot, sensorC })
  expect(
    rms(
      estimated,
      Float64Array.from({ length: 20 }, (_, i) => i),
    ),
  ).toBeLessThan(1)
  expect(sigmaK[0]).toBeGreaterThan(sigmaK[100] ?? 9)
})

test('a consumer without any reading has no estimate', () => {
  const flow = flowKgS.slice()
  flow[0] = Number.NaN
  const sensorC = snapshot.sensorC.slice()
  sensorC[0] = Number.NaN
  const { roomC: estimated, sigmaK } = estimateRooms({ ...snapshot, flowKgS: flow, sensorC })
  expect(estimated[0]).toBeNaN()
  expect(sigmaK[0]).toBe(Number.POSITIVE_INFINITY)
})

const of = (...values: readonly number[]): Float64Array => Float64Array.from(values)
const logMean = (one: number, other: number): number => (one - other) / Math.log(one / other)

/** Buildings of 1,000 m² at 46/40 °C and −5 °C outside; each with its own flow and sensor. */
const createAlike = (flows: Float64Array, sensorC: Float64Array) => ({
  outdoorC: -5,
  supplyC: flows.map(() => 46),
  returnC: flows.map(() => 40),
  flowKgS: flows,
  exponent: flows.map(() => 1.3),
  areaM2: flows.map(() => 1_000),
  sensorC,
  sensorSigmaK: 0.7,
  heatSigma: 0.01,
})

/** Standard deviations of the three sources of a room at 20 °C, K, if the population spreads by these shares. */
function sigmasOf(emitterSpread: number, envelopeSpread: number, heatSigma = 0.01) {
  return {
    sensor: 0.7,
    emitter: (logMean(26, 20) / 1.3) * Math.hypot(emitterSpread, heatSigma),
    envelope: 25 * Math.hypot(envelopeSpread, heatSigma),
  }
}

test('equal buildings spread by 2 %: sensor, emitter and envelope are weighted by their variances', () => {
  const { roomC: found, sigmaK } = estimateRooms(createAlike(of(1, 1, 1, 1, 1), of(20, 20, 20, 20, 21)))
  const { sensor, emitter, envelope } = sigmasOf(0.02, 0.02)
  const weights = [sensor, emitter, envelope].map((sigma) => sigma ** -2)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  expect(found[0]).toBeCloseTo(20, 5)
  // The sensor of the last one shows 1 K more, and the other two sources show 20 °C.
  expect(found[4]).toBeCloseTo(20 + (weights[0] ?? 0) / total, 5)
  for (const sigma of sigmaK) expect(sigma).toBeCloseTo(total ** -0.5, 6)
})

test('a consumer without a sensor has two sources, and one without a flow only its sensor', () => {
  const { roomC: found, sigmaK } = estimateRooms(
    createAlike(of(1, 1, 1, 1, Number.NaN), of(20, 20, 20, Number.NaN, 21)),
  )
  const { emitter, envelope } = sigmasOf(0.02, 0.02)
  expect(found[3]).toBeCloseTo(20, 5)
  expect(sigmaK[3]).toBeCloseTo((emitter ** -2 + envelope ** -2) ** -0.5, 6)
  expect([found[4], sigmaK[4]]).toEqual([expect.closeTo(21, 9), expect.closeTo(0.7, 9)])
})

test('emitter and envelope of an estimated area count less, by the error of the area', () => {
  const alike = createAlike(of(1, 1, 1, 1, 1), of(20, 20, 20, Number.NaN, 21))
  const areaSigma = of(0, 0, 0, 0.3, 0.3)
  const { roomC: found, sigmaK } = estimateRooms({ ...alike, areaSigma })
  const { sensor, emitter, envelope } = sigmasOf(Math.hypot(0.02, 0.3), Math.hypot(0.02, 0.3))
  const [without, weight] = [emitter ** -2 + envelope ** -2, sensor ** -2]
  expect(sigmaK[3]).toBeCloseTo(without ** -0.5, 6)
  expect(found[4]).toBeCloseTo(20 + weight / (weight + without), 5)
  expect(sigmaK[0]).toBe(estimateRooms(alike).sigmaK[0])
})

test('the spread of a population is 1.4826 times its median distance in logarithms, without the noise of the sensors', () => {
  // ln of the flows, and so of K/A and UA/A, has the median 0 and the median distance 0.2.
  const logs = [-0.3, -0.2, 0, 0.2, 0.3]
  const alike = createAlike(Float64Array.from(logs, Math.exp), of(20, 20, 20, 20, 20))
  const { sigmaK } = estimateRooms(alike)
  const seen = 1.4826 * 0.2
  const emitterNoise = Math.hypot((1.3 * 0.7) / logMean(26, 20), 0.01)
  const envelopeNoise = Math.hypot(0.7 / 25, 0.01)
  const spread = (noise: number): number => Math.sqrt(seen ** 2 - noise ** 2)
  const { sensor, emitter, envelope } = sigmasOf(spread(emitterNoise), spread(envelopeNoise))
  expect(sigmaK[2]).toBeCloseTo((sensor ** -2 + emitter ** -2 + envelope ** -2) ** -0.5, 6)
})

describe('a loop with radiators and floors', () => {
  /** Eight buildings have radiators, four have floors; all rooms are at 20 °C, and take the same heat for each m². */
  const count = 12
  const isFloor = (i: number): boolean => i >= 8
  const each = (make: (i: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, i) => make(i))
  const mixed = {
    ...createAlike(
      each(() => 1),
      each((i) => (i % 3 === 0 ? Number.NaN : 20)),
    ),
    supplyC: each((i) => (isFloor(i) ? 40 : 46)),
    returnC: each((i) => (isFloor(i) ? 34 : 40)),
    exponent: each((i) => (isFloor(i) ? 1.1 : 1.3)),
  }

  test('estimates the rooms of each kind by emitters of that kind', () => {
    const { roomC: found } = estimateRooms(mixed)
    for (const room of found) expect(room).toBeCloseTo(20, 4)
  })

  test('believes its sensors where few of them are behind one kind of emitter', () => {
    const one = mixed.sensorC.map((room, i) => (isFloor(i) ? Number.NaN : room)).with(count - 1, 22)
    const { roomC: found, sigmaK } = estimateRooms({ ...mixed, sensorC: one })
    expect(found[0]).toBeCloseTo(20, 4)
    // The one sensor proves little about the other floors: their envelopes, which are those of all, count.
    expect(found[count - 2]).toBeLessThan(21)
    expect(sigmaK[count - 2]).toBeGreaterThan(1.1 * (sigmaK[0] ?? 9))
  })
})
