import { celsius, kilogramPerSecond } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { returnTemperature } from '@isotherm/thermal/households/radiator'
import { expect, test } from 'vitest'
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
