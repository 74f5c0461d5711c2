import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSilentSubtrees } from './silent-subtrees.ts'

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
