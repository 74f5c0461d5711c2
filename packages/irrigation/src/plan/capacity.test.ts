import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSourceUse, type Usage } from './capacity.ts'

const CAPACITY_M3H = 10
const usages = fc.array(
  fc.record({
    valveIds: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 2 }),
    flowM3H: fc.integer({ min: 1, max: CAPACITY_M3H }),
    durationS: fc.integer({ min: 1, max: 8 }),
    readyS: fc.integer({ min: 0, max: 20 }),
  }),
  { maxLength: 8 },
)

/** Tries second by second. */
function tryAll(
  wanted: Omit<Usage, 'startMs' | 'endMs'>,
  durationS: number,
  used: readonly Usage[],
  fromMs: number,
) {
  const fitsAt = (ms: number): boolean => {
    const now = used.filter(({ startMs, endMs }) => startMs <= ms && endMs > ms)
    const isShared = now.some(({ valveIds }) => valveIds.some((id) => wanted.valveIds.includes(id)))
    return !isShared && now.reduce((sum, { flowM3H }) => sum + flowM3H, wanted.flowM3H) <= CAPACITY_M3H
  }
  const seconds = Array.from({ length: durationS }, (_, second) => second * 1000)
  let startMs = fromMs
  while (!seconds.every((later) => fitsAt(startMs + later))) startMs += 1000
  return startMs
}

it('finds the earliest start beside what runs, as trying every second does', () => {
  fc.assert(
    fc.property(usages, fc.integer({ min: 0, max: 20 }), (given, droppedS) => {
      const [source, used]: [ReturnType<typeof createSourceUse>, Usage[]] = [
        createSourceUse(CAPACITY_M3H),
        [],
      ]
      for (const [index, { durationS, readyS, ...wanted }] of given.entries()) {
        // Nothing is planned before what is dropped.
        if (index === 4) source.dropBefore(droppedS * 1000)
        const readyMs = (index < 4 ? readyS : Math.max(readyS, droppedS)) * 1000
        const startMs = source.findStart({ ...wanted, durationS }, readyMs)
        expect(startMs).toBe(tryAll(wanted, durationS, used, readyMs))
        const usage = { ...wanted, startMs, endMs: startMs + durationS * 1000 }
        source.add(usage)
        used.push(usage)
      }
    }),
    { numRuns: 500 },
  )
})

it('takes work in proportion to the parts that follow each other, however many there are', () => {
  const workOf = (count: number): number => {
    const source = createSourceUse(CAPACITY_M3H)
    for (let index = 0; index < count; index++) {
      const wanted = { valveIds: [1], flowM3H: 5, durationS: 30 }
      const startMs = source.findStart(wanted, index * 30_000)
      source.add({ ...wanted, startMs, endMs: startMs + 30_000 })
    }
    return source.countWork()
  }
  expect(workOf(4_000)).toBeLessThanOrEqual(2 * workOf(2_000) + 10)
})
