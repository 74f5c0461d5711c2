import type { MetricName } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { describe, expect, it } from 'vitest'
import { toConsumer } from '../loop/consumer.testkit.ts'
import type { Loop, LoopConsumer } from '../loop/loop.ts'
import { windowUntil } from './loop-window.ts'
import { measureLoop } from './measured-loop.ts'
import type { ReadSeries } from './readings.ch.ts'

const NOW = Date.UTC(2026, 0, 10)
const PERIOD_MS = 600_000

const withRoom = (deviceId: number): LoopConsumer => ({
  ...toConsumer(deviceId, 'radiator'),
  rooms: [{ deviceId: deviceId + 100, path: '/1/', periodS: 600 }],
})
const loop: Loop = {
  station: { deviceId: 9, path: '/', periodS: 600 },
  areas: [],
  consumers: [1, 2, 3, 4, 5].map(withRoom),
  pipes: [],
}

/** A reading every ten minutes up to now; `shown` gets the index of the reading. */
const series = (shown: (index: number) => number, count = 18): ReadSeries => ({
  ts: Array.from({ length: count }, (_, index) => NOW - (count - 1 - index) * PERIOD_MS),
  value: Array.from({ length: count }, (_, index) => shown(index)),
})
const sway = (around: number) => (index: number) => around + 0.2 * (index % 3)

type Given = Partial<Record<number, Partial<Record<MetricName, ReadSeries>>>>

function measure(changes: Given, timeFactor = 1, notBefore = 0) {
  const none: ReadSeries = { ts: [], value: [] }
  const usual: Partial<Record<MetricName, ReadSeries>> = {
    'temp.supply': series(sway(45)),
    'temp.return': series(sway(38)),
    'heat.flow': series(() => 3.6),
    'valve.opening': series(() => 50),
    'temp.room': series(sway(20)),
    'pressure.supply': series(() => 380),
    'pressure.return': series(() => 300),
  }
  const readings = (deviceId: number, metric: MetricName) =>
    changes[deviceId]?.[metric] ?? usual[metric] ?? none
  return measureLoop(loop, readings, { ...windowUntil(NOW, timeFactor), notBefore })
}

describe('a window of a loop', () => {
  it('has medians in the units of physics', () => {
    const { supplyC, returnC, meterKgS, headPa, rooms } = measure({})
    expect(supplyC[0]).toBeCloseTo(45.2, 6)
    expect(returnC[0]).toBeCloseTo(38.2, 6)
    expect(meterKgS[0]).toBeCloseTo(0.988, 6)
    expect(headPa).toBe(80_000)
    expect(rooms.get(101)).toBeCloseTo(20.2, 6)
  })

  it('has no value of a sensor that reports too rarely', () => {
    const few = { 'temp.return': series(sway(38), 3), 'heat.flow': series(() => 3.6, 3) }
    const { returnC, meterKgS } = measure({ 2: few })
    expect([returnC[1], meterKgS[1]]).toEqual([Number.NaN, Number.NaN])
    expect(returnC[0]).toBeCloseTo(38.2, 6)
  })

  it('trusts neither a frozen sensor nor a swapped pair', () => {
    const swapped = { 'temp.supply': series(sway(38)), 'temp.return': series(sway(45)) }
    const { supplyC, returnC } = measure({ 1: { 'temp.return': series(() => 38) }, 2: swapped })
    expect(Array.from(returnC, Number.isNaN)).toEqual([true, true, false, false, false])
    expect(supplyC[1]).toBeNaN()
  })

  it('counts only readings after the last move of a valve', () => {
    const moved = (before: number, after: number) => series((index) => (index < 12 ? before : after))
    const { meterKgS, openingPct } = measure({
      3: { 'valve.opening': moved(50, 30), 'heat.flow': moved(3.6, 1.8) },
    })
    expect(openingPct[2]).toBe(30)
    expect(meterKgS[2]).toBeCloseTo(0.494, 6)
  })

  it('counts only readings after the last change of the head', () => {
    const changed = (before: number, after: number) => series((index) => (index < 13 ? before : after))
    const station = { 'pump.target': changed(80, 50), 'pressure.supply': changed(380, 350) }
    const { headPa, heldKpa, meterKgS, returnC } = measure({
      9: station,
      1: { 'heat.flow': changed(3.6, 2.88) },
    })
    expect([headPa, heldKpa]).toEqual([50_000, 50])
    expect(meterKgS[0]).toBeCloseTo(0.79, 2)
    expect(returnC.every((back) => Number.isNaN(back))).toBe(true)
  })

  it('takes small changes by a controller for one head', () => {
    const { headPa, meterKgS, returnC } = measure({
      9: { 'pump.target': series((index) => 80 + (index % 3)) },
    })
    expect(headPa).toBe(80_000)
    expect(meterKgS[0]).toBeCloseTo(0.988, 6)
    expect(returnC[0]).toBeCloseTo(38.2, 6)
  })

  it('trusts no temperature of a valve that moved within the hour', () => {
    const moved = series((index) => (index < 13 ? 50 : 30))
    const { returnC, supplyC, meterKgS } = measure({ 3: { 'valve.opening': moved } })
    expect([supplyC[2], returnC[2]]).toEqual([Number.NaN, Number.NaN])
    expect(meterKgS[2]).toBeCloseTo(0.988, 6)
    expect(measure({ 3: { 'valve.opening': moved } }, 60).returnC[2]).not.toBeNaN()
  })

  it('accepts changes of a sensor as fast as the time factor of its plant', () => {
    const climbing = { 'temp.return': series((index) => (index % 2 === 0 ? 30 : 45)) }
    expect(measure({ 4: climbing }).returnC[3]).toBeNaN()
    expect(measure({ 4: climbing }, 60).returnC[3]).not.toBeNaN()
  })

  it('has the present rooms, wherever the window starts, and no other reading before it', () => {
    const { rooms, meterKgS, headPa } = measure({}, 1, NOW - 2 * PERIOD_MS - 1)
    expect(rooms.get(101)).toBeCloseTo(20.2, 6)
    expect(meterKgS[0]).toBeNaN()
    expect(headPa).toBe(80_000)
    expect(measure({}, 1, NOW - 4 * PERIOD_MS).meterKgS[0]).toBeCloseTo(0.988, 6)
  })

  it('is longer for devices that report rarely', () => {
    const slow: Loop = {
      ...loop,
      consumers: loop.consumers.map((one) => ({ ...one, periodS: HOUR_MS / 1000 })),
    }
    const hourly = { ...series(sway(38), 6), ts: [5, 4, 3, 2, 1, 0].map((ago) => NOW - ago * HOUR_MS) }
    const { returnC } = measureLoop(slow, () => hourly, windowUntil(NOW, 1))
    expect(returnC[0]).not.toBeNaN()
  })

  it('has no flow of a meter at zero whose building has a warm return, and names it', () => {
    const dead = { 'heat.flow': series(() => 0) }
    const { meterKgS, deadMeters } = measure({ 2: dead })
    expect(meterKgS[1]).toBeNaN()
    expect(deadMeters).toEqual(new Set([2]))
    const cold = { 'temp.return': series(sway(20)), 'temp.supply': series(sway(21)) }
    const starved = measure({ 2: { ...dead, ...cold } })
    expect(starved.meterKgS[1]).toBe(0)
    expect(starved.deadMeters).toEqual(new Set())
  })
})
