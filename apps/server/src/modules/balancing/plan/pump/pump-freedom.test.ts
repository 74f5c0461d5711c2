import { expect, test } from 'vitest'
import { isPumpLeft, startPump, toPumpMove } from './pump-freedom.ts'

const limits = { minHeadKpa: 40, maxHeadKpa: 120, maxStepKpa: 20 }
const maySet = { kind: 'may-set', limits } as const
const round = { totalKgS: 10, isTrim: false }
const heads = (headKpa: number, heldKpa?: number) => ({ headPa: 1000 * headKpa, heldKpa })

test('a head is free within its limits and slightly less than one maximum change', () => {
  const free = (headKpa: number) => startPump(maySet, heads(headKpa, headKpa), round).pump
  expect(free(80)).toEqual({ kind: 'free', minHeadPa: 61_000, maxHeadPa: 99_000 })
  expect(free(50)).toEqual({ kind: 'free', minHeadPa: 40_000, maxHeadPa: 69_000 })
  // From outside the limits it can only move inwards.
  expect(free(200)).toEqual({ kind: 'free', minHeadPa: 120_000, maxHeadPa: 120_000 })
})

test('a pump that is not set has its reason, and keeps its head or its speed', () => {
  const held = { kind: 'stays', why: 'held' } as const
  expect(startPump(held, heads(80, 80), round)).toEqual({
    pump: { kind: 'fixed-head', headPa: 80_000 },
    stays: 'held',
  })
  expect(startPump(held, heads(80, 0), round).pump.kind).toBe('fixed-speed')
  expect(startPump(maySet, heads(80), round)).toMatchObject({
    pump: { kind: 'fixed-speed' },
    stays: 'no-control',
  })
  expect(startPump(maySet, heads(80, 80), { ...round, isTrim: true })).toMatchObject({ stays: 'enough' })
})

test('a head equal to the present one is not sent', () => {
  expect(toPumpMove(7, heads(80), 78_000)).toBeUndefined()
  expect(toPumpMove(7, heads(80), 70_400)).toEqual({ deviceId: 7, fromKpa: 80, toKpa: 70 })
})

test('a pump waits if it accepts no command for a while, or not the whole change at once', () => {
  const stay = (why: 'held' | 'absent' | 'shared') => startPump({ kind: 'stays', why }, heads(80, 80), round)
  expect(isPumpLeft(stay('held'), undefined, 1)).toBe(true)
  expect(isPumpLeft(stay('absent'), undefined, 1)).toBe(true)
  expect(isPumpLeft(stay('shared'), undefined, 1)).toBe(false)
  expect(isPumpLeft(startPump(maySet, heads(80, 80), round), undefined, 1)).toBe(false)
  const isLeft = (nowKpa: number, toKpa: number, scale: number) =>
    isPumpLeft(
      startPump(maySet, heads(nowKpa, nowKpa), round),
      { deviceId: 7, fromKpa: nowKpa, toKpa },
      scale,
    )
  expect(isLeft(80, 99, 0.9)).toBe(true)
  expect(isLeft(80, 95, 0.9)).toBe(true)
  expect(isLeft(80, 95, 1)).toBe(false)
  expect(isLeft(80, 61, 1)).toBe(true)
  expect(isLeft(80, 70, 1)).toBe(false)
  // The limits end there, too.
  expect(isLeft(50, 40, 1)).toBe(false)
  expect(isLeft(110, 120, 0.9)).toBe(false)
})
