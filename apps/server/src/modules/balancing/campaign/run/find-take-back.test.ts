import { expect, test } from 'vitest'
import { findEasing, findTakeBack, listStarved, listTakenBack } from './find-take-back.ts'

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
  expect(findTakeBack(starved, [open, close]).moves).toEqual([{ deviceId: 1, fromPct: 40, toPct: 60 }])
  expect(findTakeBack(starved, [open, { ...close, state: 'waiting' }]).moves).toEqual([])
  expect(findTakeBack({ kind: 'cold-rooms', before: 0, now: 5 }, [open, close]).moves).toEqual([])
})

test('a valve is taken back once', () => {
  expect(listTakenBack([close])).toEqual(new Map())
  expect(listTakenBack([close, back])).toEqual(new Map([[1, 60]]))
  expect(findTakeBack(starved, [close, back]).moves).toEqual([])
})

const later = { kind: 'open', state: 'done', moves: [{ deviceId: 4, fromPct: 30, toPct: 50 }] } as const
const waiting = { kind: 'open', state: 'waiting', moves: [{ deviceId: 5, fromPct: 20, toPct: 35 }] } as const

test('what opened after a closing that is taken back is taken back too, and what would open is not sent', () => {
  expect(findTakeBack(starved, [open, close, later, waiting])).toEqual({
    moves: [
      { deviceId: 1, fromPct: 40, toPct: 60 },
      { deviceId: 4, fromPct: 50, toPct: 30 },
    ],
    dropped: [waiting],
  })
  // It stays where it was, so its move does not count.
  expect(listTakenBack([open, close, back, { ...waiting, state: 'dropped' }])).toEqual(
    new Map([
      [5, 20],
      [1, 60],
    ]),
  )
})

test('what was not sent is not taken back when another building starves', () => {
  const steps = [open, close, back, later, { ...waiting, state: 'dropped' } as const]
  expect(findTakeBack({ kind: 'starved', deviceIds: [2] }, steps)).toEqual({
    moves: [
      { deviceId: 2, fromPct: 30, toPct: 50 },
      { deviceId: 4, fromPct: 50, toPct: 30 },
    ],
    dropped: [],
  })
})

test('a valve opened before the closing does not rely on it, nor one before a later closing', () => {
  const second = { kind: 'close', state: 'given', moves: [{ deviceId: 9, fromPct: 70, toPct: 50 }] } as const
  expect(findTakeBack({ kind: 'starved', deviceIds: [9] }, [open, close, later, second]).moves).toEqual([
    { deviceId: 9, fromPct: 50, toPct: 70 },
  ])
})

test('what was taken back with another building is not taken back again, and later closings stay', () => {
  const both = { ...back, moves: [...back.moves, { deviceId: 4, fromPct: 50, toPct: 30 }] } as const
  const second = { kind: 'close', state: 'given', moves: [{ deviceId: 9, fromPct: 70, toPct: 50 }] } as const
  const unsent = { ...second, state: 'waiting' } as const
  expect(findTakeBack({ kind: 'starved', deviceIds: [2] }, [open, close, later, both])).toEqual({
    moves: [{ deviceId: 2, fromPct: 30, toPct: 50 }],
    dropped: [],
  })
  const moves = [{ deviceId: 1, fromPct: 40, toPct: 60 }]
  expect(findTakeBack(starved, [open, close, second])).toEqual({
    moves: [...moves, { deviceId: 9, fromPct: 50, toPct: 70 }],
    dropped: [],
  })
  expect(findTakeBack({ kind: 'starved', deviceIds: [1] }, [open, close, second])).toEqual({
    moves,
    dropped: [],
  })
  expect(findTakeBack({ kind: 'starved', deviceIds: [1] }, [open, close, unsent])).toEqual({
    moves,
    dropped: [],
  })
})

test('only valves that open again were taken back for a starved building', () => {
  const both = {
    ...back,
    moves: [...back.moves, { deviceId: 4, fromPct: 50, toPct: 30 }],
  } as const
  expect([...listStarved([close, later, both])]).toEqual([1])
})

test('no second wave opens valves again in a round, but one may follow take-backs of starved buildings', () => {
  const over = [{ deviceId: 2, toPct: 37 }]
  const eased = {
    kind: 'take-back',
    state: 'done',
    moves: [{ deviceId: 1, fromPct: 40, toPct: 47 }],
  } as const
  expect(findEasing(over, [open, close, eased])).toEqual([])
  expect(findEasing(over, [open, close, back])).toEqual([{ deviceId: 2, fromPct: 30, toPct: 37 }])
  // One of its valves opened in part, another one went back whole.
  const mixed = { ...eased, moves: [...eased.moves, { deviceId: 3, fromPct: 40, toPct: 60 }] } as const
  expect(findEasing(over, [open, close, mixed])).toEqual([])
  expect(findEasing([{ deviceId: 1, toPct: 47 }], [open, close, back])).toEqual([])
})

test('a valve that closed too far opens again in part, once, and is no starved one', () => {
  const over = [
    { deviceId: 1, toPct: 47 },
    { deviceId: 2, toPct: 99 },
    { deviceId: 3, toPct: 70 },
  ]
  const moves = findEasing(over, [open, close])
  expect(moves).toEqual([
    { deviceId: 1, fromPct: 40, toPct: 47 },
    { deviceId: 2, fromPct: 30, toPct: 50 },
  ])
  const eased = { kind: 'take-back', state: 'done', moves } as const
  expect(findEasing(over, [open, close, eased])).toEqual([])
  expect(findEasing([{ deviceId: 1, toPct: 40 }], [open, close])).toEqual([])
  expect(findEasing(over, [open, { ...close, state: 'waiting' }])).toEqual([])
  // One that went back whole is as if it had starved.
  expect([...listStarved([open, close, eased])]).toEqual([2])
  expect(listTakenBack([open, close, eased])).toEqual(
    new Map([
      [1, 47],
      [2, 50],
    ]),
  )
})
