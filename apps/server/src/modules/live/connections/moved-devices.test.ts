import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { createTimeSlices } from '../subscriptions/time-slices.ts'
import { createMoveNotifier, NOTIFIED_PER_SLICE } from './moved-devices.ts'

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

/** Connections that watch the given paths, and the moves they are notified of. */
function createBench(watched: readonly (readonly string[])[], existing: readonly DirectoryEntry[]) {
  const sent: Move[][] = watched.map(() => [])
  const restarted: number[] = []
  const connections = watched.map((paths, index) => ({
    watchedPaths: () => paths,
    applyMove(former: DirectoryEntry | undefined, now: DirectoryEntry | undefined) {
      sent[index]?.push([former?.path, now?.path])
    },
    restartOutdated() {
      restarted.push(index)
    },
  }))
  const byId = new Map(existing.map((entry) => [entry.id, entry]))
  const directory = { findById: (id: number) => byId.get(id) }
  const notify = createMoveNotifier({ connections, directory, waitForSlice: createTimeSlices(), log })
  return { sent, restarted, byId, notify }
}

test('watchers of the former and of the new place are notified once of a move', async () => {
  const now = toEntry(1, '/1/5/9/')
  const { sent, restarted, notify } = createBench(
    [['/1/4/'], ['/1/5/', '/1/5/9/'], ['/1/'], ['/1/50/'], []],
    [now],
  )
  await notify([now], [toEntry(1, '/1/4/9/')])
  const move: Move = ['/1/4/9/', '/1/5/9/']
  expect(sent).toEqual([[move], [move], [move], [], []])
  expect(restarted.toSorted()).toEqual([0, 1, 2])
})

test('the notification has the current entry of the device, also if it was removed since', async () => {
  const placed = [toEntry(1, '/1/4/'), toEntry(2, '/1/4/')]
  const { sent, notify } = createBench([['/1/']], [toEntry(1, '/1/6/')])
  await notify(placed, [])
  expect(sent).toEqual([[[undefined, '/1/6/']]])
})

test('an import of a whole company yields to the event loop, however many connections watch', async () => {
  const placed = Array.from({ length: 20_000 }, (_, index) => toEntry(index + 1, `/1/${index}/`))
  const { sent, notify } = createBench(
    Array.from({ length: 5 }, () => ['/']),
    placed,
  )
  const count = () => sent.reduce((sum, moves) => sum + moves.length, 0)
  const notified = notify(placed, [])
  let before = 0
  let rounds = 0
  while (count() < 100_000) {
    await setImmediate()
    // At most one slice, and the watchers of the device that ended it.
    expect(count() - before).toBeLessThanOrEqual(NOTIFIED_PER_SLICE + 5)
    before = count()
    rounds += 1
  }
  await notified
  expect(rounds).toBeGreaterThan(15)
})

test('for any moves, exactly the watchers of an affected place are notified', async () => {
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
      const { sent, notify } = createBench(paths, placed)
      await notify(placed, left)
      for (const [index, mine] of paths.entries()) {
        const concerns = (place: string | null) =>
          place !== null && mine.some((part) => place.startsWith(part))
        const expected = given
          .filter(({ former, now }) => concerns(former) || concerns(now))
          .map(({ former, now }): Move => [former ?? undefined, now ?? undefined])
        const sort = (list: readonly Move[]) => list.map((move) => JSON.stringify(move)).toSorted()
        expect(sort(sent[index] ?? [])).toEqual(sort(expected))
      }
    }),
  )
})
