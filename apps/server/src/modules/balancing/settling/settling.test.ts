import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import type { ValveSteps } from './responses.ch.ts'
import { findSettling } from './settling.ts'

const STEP_MS = 600_000
const HOUR_S = 3_600
const NOW = Date.UTC(2026, 0, 10)

/**
 * A valve that closed some hours ago, whose return responds with a lag; the weather warms all returns each hour.
 */
function respond(movedHoursAgo: number, lagH: number, seed: number, swingK = 2): ValveSteps {
  const random = createRandom(seed)
  const at = Array.from({ length: 288 }, (_, index) => NOW - (288 - index) * STEP_MS)
  const sinceS = (begin: number) => (begin - (NOW - movedHoursAgo * HOUR_S * 1000)) / 1000
  return {
    at,
    openingPct: at.map((begin) => (sinceS(begin) < 0 ? 60 : 52)),
    returnC: at.map((begin) => {
      const followed = 1 - Math.exp(-Math.max(0, sinceS(begin) - 1_800) / (lagH * HOUR_S))
      return 40 - swingK * followed - sinceS(begin) / (40 * HOUR_S) + sampleNormal(random, 0, 0.08)
    }),
  }
}
const when = (timeFactor = 1) => ({ now: NOW, timeFactor, longestS: () => 2 * HOUR_S })
const still = (seed: number): ValveSteps => respond(1_000, 0.5, seed)

test('a valve waits for its own return: a radiator for hours, a floor for a day and more', () => {
  const others = [11, 12, 13, 14, 15].map((id) => [id, still(id)] as const)
  const responses = new Map<number, ValveSteps>([
    ...others,
    [1, respond(2, 1, 1)],
    [2, respond(8, 0.5, 2)],
    [3, respond(12, 9, 3)],
    [4, respond(40, 8, 4)],
  ])
  expect([...findSettling(responses, when())].sort()).toEqual([1, 3])
})

test('with a time factor of ten a plant settles in a tenth of the time', () => {
  const fast = (steps: ValveSteps): ValveSteps => ({
    ...steps,
    at: steps.at.map((at) => NOW - (NOW - at) / 10),
  })
  const responses = new Map([11, 12, 13].map((id) => [id, fast(still(id))]))
  responses.set(2, fast(respond(8, 0.5, 2))).set(3, fast(respond(12, 9, 3)))
  expect([...findSettling(responses, when(10))]).toEqual([3])
})

test('a valve without a move or without readings waits for nothing', () => {
  const responses = new Map([11, 12, 13].map((id) => [id, still(id)]))
  responses.set(20, { at: [], openingPct: [], returnC: [] })
  expect(findSettling(responses, when()).size).toBe(0)
})

test('a floor without a response in its first hours may still show one; a radiator would have shown it', () => {
  const others = [11, 12, 13].map((id) => [id, still(id)] as const)
  const responses = new Map<number, ValveSteps>([
    ...others,
    // 8 and 9 show nothing after three hours; 10 did not respond in a day.
    [8, respond(3, 10, 8, 1)],
    [9, respond(3, 0.5, 9, 0)],
    [10, respond(24, 9, 10, 0)],
  ])
  const longestS = (deviceId: number) => (deviceId === 9 ? 2 : 48) * HOUR_S
  expect([...findSettling(responses, { now: NOW, timeFactor: 1, longestS })]).toEqual([8])
})

/** Every nth step of a valve's readings. */
const seldom = ({ at, openingPct, returnC }: ValveSteps, every: number): ValveSteps => {
  const hasCommand = (_: number, index: number) => (at.length - 1 - index) % every === 0
  return {
    at: at.filter(hasCommand),
    openingPct: openingPct.filter(hasCommand),
    returnC: returnC.filter(hasCommand),
  }
}

test('a valve with few readings since its move waits for the maximum settling time of its emitter', () => {
  const others = [11, 12, 13].map((id) => [id, still(id)] as const)
  const responses = new Map<number, ValveSteps>([
    ...others,
    // Both 5 and 6 report hourly, 5 is heated by floors; 7 moved just now.
    [5, seldom(respond(5, 0.5, 5), 6)],
    [6, seldom(respond(5, 9, 6), 6)],
    [7, respond(1, 0.5, 7)],
  ])
  const longestS = (deviceId: number) => (deviceId === 6 ? 48 : 2) * HOUR_S
  expect([...findSettling(responses, { now: NOW, timeFactor: 1, longestS })].sort()).toEqual([6, 7])
})
