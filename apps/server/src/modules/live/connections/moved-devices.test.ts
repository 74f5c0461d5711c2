import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { createTurns } from '../subscriptions/time-slices.ts'
import { createPlacedNews, NOTED_AT_ONCE } from './moved-devices.ts'

const log = createLog({ logLevel: 'silent' })

const toEntry = (id: number, path: string): DirectoryEntry => ({
  id,
  path,
  tenant: 'demo',
  serial: `d${id}`,
  kind: 'valve',
  concentratorId: undefined,
  periodS: 60,
})

type Move = readonly [former: string | undefined, now: string | undefined]

/** Connections that watch the given paths, and how each is told of moves. */
function createBench(watched: readonly (readonly string[])[], standing: readonly DirectoryEntry[]) {
  const told: Move[][] = watched.map(() => [])
  const startedAnew: number[] = []
  const connections = watched.map((paths, index) => ({
    watchedPaths: () => paths,
    noteMove(former: DirectoryEntry | undefined, now: DirectoryEntry | undefined) {
      told[index]?.push([former?.path, now?.path])
    },
    startOutdatedAnew() {
      startedAnew.push(index)
    },
  }))
  const byId = new Map(standing.map((entry) => [entry.id, entry]))
  const directory = { findById: (id: number) => byId.get(id) }
  const tell = createPlacedNews({ connections, directory, takeTurn: createTurns(), log })
  return { told, startedAnew, byId, tell }
}

test('a device that moved is told to who watches where it was or where it is, once', async () => {
  const now = toEntry(1, '/1/5/9/')
  const { told, startedAnew, tell } = createBench(
    [['/1/4/'], ['/1/5/', '/1/5/9/'], ['/1/'], ['/1/50/'], []],
    [now],
  )
  await tell([now], [toEntry(1, '/1/4/9/')])
  const move: Move = ['/1/4/9/', '/1/5/9/']
  expect(told).toEqual([[move], [move], [move], [], []])
  expect(startedAnew.toSorted()).toEqual([0, 1, 2])
})

test('a device is told as it stands by now, also when it was removed since', async () => {
  const placed = [toEntry(1, '/1/4/'), toEntry(2, '/1/4/')]
  const { told, tell } = createBench([['/1/']], [toEntry(1, '/1/6/')])
  await tell(placed, [])
  expect(told).toEqual([[[undefined, '/1/6/']]])
})

test('an import of a whole company leaves room between its parts, however many watch', async () => {
  const placed = Array.from({ length: 20_000 }, (_, index) => toEntry(index + 1, `/1/${index}/`))
  const { told, tell } = createBench(
    Array.from({ length: 5 }, () => ['/']),
    placed,
  )
  const count = () => told.reduce((sum, moves) => sum + moves.length, 0)
  const telling = tell(placed, [])
  let before = 0
  let rounds = 0
  while (count() < 100_000) {
    await setImmediate()
    // No more than a part and what the device that ended it adds.
    expect(count() - before).toBeLessThanOrEqual(NOTED_AT_ONCE + 5)
    before = count()
    rounds += 1
  }
  await telling
  expect(rounds).toBeGreaterThan(15)
})

test('for any moves each is told exactly to those who watch a place it concerns', async () => {
  const path = fc
    .array(fc.constantFrom('1', '2', '10'), { minLength: 1, maxLength: 3 })
    .map((steps) => `/${steps.join('/')}/`)
  const watched = fc.array(fc.array(fc.oneof(path, fc.constant('/')), { maxLength: 3 }), { maxLength: 4 })
  const moves = fc.array(fc.record({ former: fc.option(path), now: fc.option(path) }), { maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(watched, moves, async (paths, given) => {
      const toEntries = (pick: (move: { former: string | null; now: string | null }) => string | null) =>
        given.flatMap((move, index) => {
          const found = pick(move)
          return found === null ? [] : [toEntry(index, found)]
        })
      const [placed, left] = [toEntries(({ now }) => now), toEntries(({ former }) => former)]
      const { told, tell } = createBench(paths, placed)
      await tell(placed, left)
      for (const [index, mine] of paths.entries()) {
        const concerns = (place: string | null) =>
          place !== null && mine.some((part) => place.startsWith(part))
        const expected = given
          .filter(({ former, now }) => concerns(former) || concerns(now))
          .map(({ former, now }): Move => [former ?? undefined, now ?? undefined])
        const sort = (list: readonly Move[]) => list.map((move) => JSON.stringify(move)).toSorted()
        expect(sort(told[index] ?? [])).toEqual(sort(expected))
      }
    }),
  )
})
