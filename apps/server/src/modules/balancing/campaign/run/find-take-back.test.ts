import { expect, test } from 'vitest'
import { findTakeBack, listTakenBack } from './find-take-back.ts'

const close = {
  kind: 'close',
  state: 'given',
  moves: [
    { deviceId: 1, fromPct: 60, toPct: 40 },
    { deviceId: 2, fromPct: 50, toPct: 30 },
  ],
} as const
const open = { kind: 'open', state: 'done', moves: [{ deviceId: 3, fromPct: 40, toPct: 60 }] } as const
const starved = { kind: 'starved' as const, deviceIds: [1, 3, 9] }
const back = { kind: 'take-back', state: 'given', moves: [{ deviceId: 1, fromPct: 40, toPct: 60 }] } as const

test('only valves that this round closed, and whose buildings starve, are taken back', () => {
  expect(findTakeBack(starved, [open, close])).toEqual([{ deviceId: 1, fromPct: 40, toPct: 60 }])
  expect(findTakeBack(starved, [open, { ...close, state: 'waiting' }])).toEqual([])
  expect(findTakeBack({ kind: 'cold-rooms', before: 0, now: 5 }, [open, close])).toEqual([])
})

test('a valve is taken back once', () => {
  expect(listTakenBack([close])).toEqual(new Map())
  expect(listTakenBack([close, back])).toEqual(new Map([[1, 60]]))
  expect(findTakeBack(starved, [close, back])).toEqual([])
})
