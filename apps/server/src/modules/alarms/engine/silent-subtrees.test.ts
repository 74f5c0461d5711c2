import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSilentSubtrees, type SilentSubtrees } from './silent-subtrees.ts'

const TOTAL = 50
const id = fc.integer({ min: 1, max: 30 })
/** A node has one parent: its id encodes its path. */
const node = fc
  .array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 })
  .map((steps) => `/${steps.map((_, depth) => steps.slice(0, depth + 1).join('')).join('/')}/`)
const instant = fc.integer({ min: 1, max: 100 })
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ id, node, since: fc.oneof(instant, fc.constant('long' as const)) }),
  },
  fc.record({ returned: id }),
  fc.record({ agedBefore: instant, exempt: node }),
)

const nodeIds = (path: string): readonly number[] =>
  path
    .split('/')
    .filter((each) => each !== '' && !each.startsWith('d'))
    .map(Number)

test('after any silences, moves and returns, each node counts the devices below it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const subtrees = createSilentSubtrees(() => TOTAL)
      const absent = new Map<number, { path: string; at: number; isOld: boolean }>()
      const seen = new Set<number>()
      for (const each of steps) {
        if ('returned' in each) {
          subtrees.recordReturn(each.returned)
          absent.delete(each.returned)
        } else if ('agedBefore' in each) {
          subtrees.age(each.agedBefore, (path) => path.startsWith(each.exempt))
          for (const device of absent.values())
            if (device.at < each.agedBefore && !device.path.startsWith(each.exempt)) device.isOld = true
        } else {
          const path = `${each.node}d${each.id}/`
          subtrees.recordAbsent({ id: each.id, path, tenant: 't' }, each.since)
          const known = absent.get(each.id)
          const isOld = each.since === 'long'
          if (known) known.path = path
          else absent.set(each.id, { path, at: isOld ? 0 : Number(each.since), isOld })
          for (const nodeId of nodeIds(path)) seen.add(nodeId)
        }
      }
      for (let device = 1; device <= 31; device += 1)
        expect(subtrees.isAbsent(device)).toBe(absent.has(device))
      for (const nodeId of seen) {
        const below = [...absent.values()].filter(({ path }) => nodeIds(path).includes(nodeId))
        const recent = below.filter(({ isOld }) => !isOld).length
        const reporting = Math.max(TOTAL - (below.length - recent), recent)
        expect(subtrees.measure(nodeId)).toMatchObject({ recent, sharePct: (100 * recent) / reporting })
      }
    }),
    { numRuns: 60 },
  )
})

/** Devices that became silent together, below nodes that have 20 devices each. */
function createSilent(places: readonly (readonly [path: string, devices: number])[]) {
  const subtrees = createSilentSubtrees(() => 20)
  let next = 1
  for (const [path, devices] of places) {
    for (let index = 0; index < devices; index += 1) {
      subtrees.recordAbsent({ id: next, path: `${path}d${next}/`, tenant: 't' }, 100)
      next += 1
    }
  }
  return subtrees
}
/** The nodes to evaluate if these are bad. */
const findAmong = (subtrees: SilentSubtrees, ...bad: readonly number[]) =>
  subtrees.findCandidates(({ nodeId }) => bad.includes(nodeId)).map(({ nodeId }) => nodeId)

describe('the place of a fault', () => {
  test('is the highest bad node', () => {
    const subtrees = createSilent([
      ['/1/2/3/', 12],
      ['/1/2/4/', 12],
    ])
    expect(findAmong(subtrees, 4, 3, 2)).toEqual([2])
  })

  test('is a lower one that has nine tenths of its silent devices, and of those the lowest', () => {
    const share = (devices: number) =>
      createSilent([
        ['/1/2/3/', 20 - devices],
        ['/1/2/4/5/', devices],
      ])
    expect(findAmong(share(18), 1, 2, 4, 5)).toEqual([5])
    expect(findAmong(share(17), 1, 2, 4, 5)).toEqual([2])
    // Beside it, not below it.
    const apart = createSilent([
      ['/1/2/3/', 12],
      ['/1/4/5/', 15],
    ])
    expect(findAmong(apart, 3, 4).toSorted()).toEqual([3, 4])
  })

  test('needs ten silent devices', () => {
    expect(findAmong(createSilent([['/1/', 9]]), 1)).toEqual([])
    expect(findAmong(createSilent([['/1/', 10]]), 1)).toEqual([1])
  })

  test('is searched only after a change', () => {
    const subtrees = createSilent([['/1/', 12]])
    expect(findAmong(subtrees, 1)).toEqual([1])
    expect(findAmong(subtrees, 1)).toEqual([])
    subtrees.recordAbsent({ id: 12, path: '/1/d12/', tenant: 't' }, 200)
    expect(findAmong(subtrees, 1)).toEqual([])
    subtrees.recordReturn(12)
    expect(findAmong(subtrees, 1)).toEqual([1])
    expect(
      findAmong(
        createSilentSubtrees(() => 20),
        1,
      ),
    ).toEqual([])
  })

  test('is not searched below the sixth level, where nothing is counted', () => {
    const subtrees = createSilent([['/1/2/3/4/5/6/7/', 12]])
    expect(subtrees.measure(6)?.recent).toBe(12)
    expect(subtrees.measure(7)).toBeUndefined()
  })
})

test('a node has the path at which its devices are, also after it moved with them', () => {
  const subtrees = createSilent([['/1/2/3/', 1]])
  expect(subtrees.measure(2)).toMatchObject({ path: '/1/2/', tenant: 't', recent: 1 })
  subtrees.recordAbsent({ id: 1, path: '/1/4/3/d1/', tenant: 't' }, 100)
  expect(subtrees.measure(3)).toMatchObject({ path: '/1/4/3/', recent: 1 })
  subtrees.recordAbsent({ id: 1, path: '/1/4/8/3/d1/', tenant: 't' }, 100)
  expect(subtrees.measure(3)).toMatchObject({ path: '/1/4/8/3/', recent: 1 })
  expect(subtrees.measure(2)?.recent).toBe(0)
})

test('a place without silent devices has a share of 0, and keeps those that it has', () => {
  const subtrees = createSilentSubtrees((path) =>
    path === '/1/unknown/' ? undefined : path === '/9/' ? 0 : 4,
  )
  subtrees.recordPlace(5, { path: '/1/5/', tenant: 't' })
  expect(subtrees.measure(5)).toEqual({ nodeId: 5, path: '/1/5/', tenant: 't', recent: 0, sharePct: 0 })
  subtrees.recordAbsent({ id: 1, path: '/1/5/d1/', tenant: 't' }, 100)
  subtrees.recordPlace(5, { path: '/1/5/', tenant: 't' })
  expect(subtrees.measure(5)).toMatchObject({ recent: 1, sharePct: 25 })
  subtrees.recordPlace(9, { path: '/9/', tenant: 't' })
  expect(subtrees.measure(9)?.sharePct).toBe(0)
  // Neither a node of which nothing is known nor one whose devices are not counted yet.
  subtrees.recordPlace(6, { path: '/1/unknown/', tenant: 't' })
  expect([subtrees.measure(6), subtrees.measure(77)]).toEqual([undefined, undefined])
})
