import type { EmitterKind } from '@isotherm/contract/network/emitters'
import { listAbove } from '../../../platform/scope/scope.ts'
import type { EmitterMark } from './loop.pg.ts'

/** What is usual where nobody has said anything. */
const USUAL: EmitterKind = 'radiator'

/**
 * Answers what heats most of the floor behind a node: what is said of the nearest node at or above it, but for what lower
 * nodes say of themselves.
 */
export function createEmitterFinder(
  marks: readonly EmitterMark[],
): (path: string, areaM2: number | null) => EmitterKind {
  const markAt = new Map(marks.map((mark) => [mark.path, mark]))
  const below = new Map<string, EmitterMark[]>()
  for (const mark of marks)
    for (const above of listAbove(mark.path)) {
      const there = below.get(above)
      if (there) there.push(mark)
      else below.set(above, [mark])
    }
  const nearest = (path: string) =>
    listAbove(path)
      .toReversed()
      .flatMap((above) => markAt.get(above) ?? [])[0]
  return (path, areaM2) => {
    const own = markAt.get(path) ?? nearest(path)
    const base = own?.emitter ?? USUAL
    const floors = new Map<EmitterKind, number>([[base, areaM2 ?? 0]])
    const add = (kind: EmitterKind, area: number) => floors.set(kind, (floors.get(kind) ?? 0) + area)
    for (const mark of below.get(path) ?? []) {
      add(mark.emitter, mark.areaM2)
      add(nearest(mark.path)?.emitter ?? USUAL, -mark.areaM2)
    }
    const most = Math.max(...floors.values())
    return most > (floors.get(base) ?? 0)
      ? ([...floors].find(([, area]) => area === most)?.[0] ?? base)
      : base
  }
}
