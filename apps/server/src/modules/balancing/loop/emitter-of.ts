import type { EmitterKind } from '@isotherm/contract/network/emitters'
import { listAbove } from '../../../platform/scope/scope.ts'
import type { EmitterRecord } from './loop.pg.ts'

/** Emitter without any record. */
const USUAL: EmitterKind = 'radiator'

/**
 * Finds the emitter of most of the floor area behind a node: the record of the nearest node at or above it, unless
 * lower nodes have records of their own.
 */
export function createEmitterFinder(
  marks: readonly EmitterRecord[],
): (path: string, areaM2: number | null) => EmitterKind {
  const markAt = new Map(marks.map((mark) => [mark.path, mark]))
  const below = new Map<string, EmitterRecord[]>()
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
