import { toRadius } from './look.ts'
import { type Name, placeNames, type Side, toOffset } from './place-names.ts'
import type { ScenePoint } from './scene.ts'

export const TEXT_PX = 12
export const LINE_PX = 15
/** Between a circle and its name. */
const GAP_PX = 4
/** Names stand beside buildings from here on; farther away they would lie on each other. */
const NAMES_FROM_ZOOM = 14.5

/** A text on the map, with its middle as seen from its point, px. */
export interface Written {
  readonly point: ScenePoint
  readonly lines: readonly string[]
  readonly offset: readonly [x: number, y: number]
  readonly widthPx: number
  readonly align: 'left' | 'center' | 'right'
}

const alignments: Readonly<Record<Side, Written['align']>> = {
  middle: 'center',
  below: 'center',
  above: 'center',
  right: 'left',
  left: 'right',
}

/** Counts stand in their clusters, names of stations wherever there is room, those of other places from nearby. */
const isWritten = ({ kind }: ScenePoint, zoom: number): boolean => kind !== 'place' || zoom >= NAMES_FROM_ZOOM

/** What is written on the map; `measure` gives the width of a line, px. */
export function toWritten(
  points: readonly ScenePoint[],
  zoom: number,
  resolution: number,
  measure: (line: string) => number,
): readonly Written[] {
  // What lies foremost is named first.
  const named = points.filter((point) => isWritten(point, zoom)).toReversed()
  const texts = named.map(({ text }) => text.split('\n'))
  const names = named.map((point, index): Name => {
    const lines = texts[index] ?? []
    return {
      x: point.x / resolution,
      y: -point.y / resolution,
      isFixed: point.kind === 'cluster',
      widthPx: Math.max(...lines.map(measure)),
      heightPx: lines.length * LINE_PX,
      gapPx: toRadius(point, zoom) + GAP_PX,
    }
  })
  const sides = placeNames(names)
  return named.flatMap((point, index) => {
    const [name, side, lines] = [names[index], sides[index], texts[index]]
    if (!name || !side || !lines) return []
    const { widthPx } = name
    return [{ point, lines, widthPx, offset: toOffset(name, side), align: alignments[side] }]
  })
}
