import { expect, it } from 'vitest'
import { createFaultBoard } from './fault-board.ts'

it('starts and ends a fault at its time', () => {
  const board = createFaultBoard([{ kind: 'stuck', target: 'v', fromS: 100, untilS: 200 }], 0)
  expect(board.of('v')).toEqual([])
  board.advance(100)
  expect(board.find('v', 'stuck')?.sinceS).toBe(100)
  board.advance(199)
  expect(board.find('v', 'stuck')).toBeDefined()
  board.advance(200)
  expect(board.of('v')).toEqual([])
})

it('starts a fault without a time at once, and never one that has ended', () => {
  const board = createFaultBoard([{ kind: 'stuck', target: 'v', fromS: 1, untilS: 2 }], 50)
  board.inject({ kind: 'offline', target: 'v' })
  expect(board.of('v')).toEqual([{ fault: { kind: 'offline', target: 'v' }, sinceS: 50 }])
})

it('keeps only the newest fault of a kind for each metric', () => {
  const board = createFaultBoard([], 0)
  board.inject({ kind: 'frozen', target: 'v', metric: 'temp.return' })
  board.inject({ kind: 'frozen', target: 'v', metric: 'temp.supply' })
  board.inject({ kind: 'frozen', target: 'v', metric: 'temp.return' })
  expect(board.of('v')).toHaveLength(2)
})

it('ends the faults of a kind or all, active or waiting, and returns their number', () => {
  const board = createFaultBoard([], 0)
  board.inject({ kind: 'stuck', target: 'v' })
  board.inject({ kind: 'offline', target: 'v', fromS: 10 })
  board.inject({ kind: 'offline', target: 'w' })
  expect(board.repair('v', 'swapped')).toBe(0)
  expect(board.repair('v', 'stuck')).toBe(1)
  expect(board.repair('v')).toBe(1)
  board.advance(20)
  expect([...board.targets()]).toEqual(['w'])
})

it('counts every change, so that the plant only recomputes after a change', () => {
  const board = createFaultBoard([{ kind: 'stuck', target: 'v', fromS: 10 }], 0)
  const before = board.revision()
  board.advance(5)
  expect(board.revision()).toBe(before)
  board.advance(10)
  expect(board.revision()).toBeGreaterThan(before)
})
