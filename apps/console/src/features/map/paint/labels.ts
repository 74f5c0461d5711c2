import { toRadius } from './map-style.ts'
import { type Name, placeNames, type Side, toOffset } from './place-names.ts'
import type { ScenePoint } from './scene.ts'

export const TEXT_PX = 12
export const LINE_PX = 15
/** Gap between a circle and its label, px. */
const GAP_PX = 4
/** From this zoom on, buildings have labels; below it they would overlap. */
const NAMES_FROM_ZOOM = 14.5

/** A label on the map, with its offset from the point, px. */
export interface Label {
  readonly point: ScenePoint
  readonly lines: readonly string[]
  readonly offset: readonly [x: number, y: number]
  readonly widthPx: number
  readonly align: 'left' | 'center' | 'right'
}

const alignments: Readonly<Record<Side, Label['align']>> = {
  middle: 'center',
  below: 'center',
  above: 'center',
  right: 'left',
  left: 'right',
}

/** Counts are inside clusters, station names always if there is room, other names from a near zoom on. */
const isWritten = ({ kind }: ScenePoint, zoom: number): boolean => kind !== 'place' || zoom >= NAMES_FROM_ZOOM

/** The labels of the map. `measure` returns the width of a line, px. */
export function toLabels(
  points: readonly ScenePoint[],
  zoom: number,
  resolution: number,
  measure: (line: string) => number,
): readonly Label[] {
  // The topmost points are labelled first.
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
