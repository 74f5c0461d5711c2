import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { COLLECT_MS, createStructureChanges } from './structure-changes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function createChanges() {
  const reloads: (readonly string[])[] = []
  let finish = () => {}
  const changes = createStructureChanges((parents) => {
    reloads.push(parents)
    return new Promise((resolve) => {
      finish = resolve
    })
  })
  const end = async () => {
    finish()
    await vi.advanceTimersByTimeAsync(COLLECT_MS)
  }
  return { changes, reloads, end }
}

test('changes within the collect time become one reload', async () => {
  const { changes, reloads } = createChanges()
  for (const key of ['4', '5', '4', '6']) changes.note([key])
  expect(reloads).toEqual([])
  await vi.advanceTimersByTimeAsync(COLLECT_MS)
  expect(reloads).toEqual([['4', '5', '6']])
})

test('while one reload runs, however many changes come, there is one further reload', async () => {
  const { changes, reloads, end } = createChanges()
  changes.note(['4'])
  await vi.advanceTimersByTimeAsync(COLLECT_MS)
  for (let change = 0; change < 50; change += 1) {
    changes.note([`${change % 3}`])
    await vi.advanceTimersByTimeAsync(COLLECT_MS)
  }
  expect(reloads).toHaveLength(1)
  await end()
  expect(reloads).toEqual([['4'], ['0', '1', '2']])
  await end()
  expect(reloads).toHaveLength(2)
})

test('a lost connection, after which anything may have changed, replaces all other changes', async () => {
  const { changes, reloads } = createChanges()
  changes.note(['4'])
  changes.note([])
  await vi.advanceTimersByTimeAsync(COLLECT_MS)
  expect(reloads).toEqual([[]])
})

test('nothing is reloaded after close', async () => {
  const { changes, reloads } = createChanges()
  changes.note(['4'])
  changes.close()
  await vi.advanceTimersByTimeAsync(COLLECT_MS)
  expect(reloads).toEqual([])
})
