import type { FeatureLike } from 'ol/Feature.js'
import Fill from 'ol/style/Fill.js'
import Stroke from 'ol/style/Stroke.js'
import Style, { type StyleFunction } from 'ol/style/Style.js'
import Text from 'ol/style/Text.js'
import type { GroundColours } from '../../paint/ground-colours.ts'
import { type GroundKind, isOnlyName, toGroundKind, toGroundName } from '../../paint/ground-kind.ts'
import { through } from '../../paint/map-style.ts'
import { toZoom } from '../map-zoom.ts'

export interface GroundLook {
  readonly colours: GroundColours
  /** CSS font family. */
  readonly fontFamily: string
  /** Language of the names. */
  readonly language: string
}

type Line = 'main-street' | 'street' | 'path' | 'rail' | 'waterway'

/** Width by zoom, px. */
const widths: Readonly<Record<Line, (zoom: number) => number>> = {
  'main-street': through([10, 1], [14, 4], [18, 16]),
  street: through([12, 0.8], [15, 3], [18, 11]),
  path: through([14, 0.8], [18, 2]),
  rail: through([11, 0.8], [18, 2]),
  waterway: through([11, 1], [18, 5]),
}

/** Zoom from which a kind is drawn, and from which its name is. */
const fromZoom: Readonly<Record<GroundKind, readonly [drawn: number, named: number]>> = {
  green: [9, 13.5],
  water: [0, 12],
  waterway: [10, 13.5],
  building: [13.5, Number.POSITIVE_INFINITY],
  rail: [10, Number.POSITIVE_INFINITY],
  path: [14.5, Number.POSITIVE_INFINITY],
  street: [12.5, 15.5],
  'main-street': [9, 13.5],
}

/** Order from bottom to top. */
const heights: Readonly<Record<GroundKind, number>> = {
  green: 0,
  water: 1,
  waterway: 1,
  path: 2,
  building: 3,
  street: 4,
  rail: 6,
  'main-street': 7,
}
const NAME_HEIGHT = 9
/** From this zoom on streets have an edge. */
const EDGES_FROM_ZOOM = 13
const NAME_PX = 11

const isLine = (kind: GroundKind): kind is Line => Object.hasOwn(widths, kind)

function toAreaStyles(kind: 'green' | 'water' | 'building', colours: GroundColours): Style[] {
  const fill = new Fill({ color: colours[kind] })
  if (kind !== 'building') return [new Style({ fill, zIndex: heights[kind] })]
  return [
    new Style({
      fill,
      stroke: new Stroke({ color: colours['building-edge'], width: 1 }),
      zIndex: heights[kind],
    }),
  ]
}

function toLineStyles(kind: Line, colours: GroundColours, zoom: number): Style[] {
  const width = widths[kind](zoom)
  const color = colours[kind === 'waterway' ? 'water' : kind]
  const dash = kind === 'rail' ? { lineDash: [6, 4] } : kind === 'path' ? { lineDash: [3, 3] } : {}
  const line = new Style({
    stroke: new Stroke({
      color,
      width,
      lineCap: kind === 'path' || kind === 'rail' ? 'butt' : 'round',
      ...dash,
    }),
    zIndex: heights[kind],
  })
  if ((kind !== 'street' && kind !== 'main-street') || zoom < EDGES_FROM_ZOOM) return [line]
  const edge = new Stroke({ color: colours[`${kind}-edge`], width: width + 1.5 })
  return [new Style({ stroke: edge, zIndex: heights[kind] - 1 }), line]
}

function toNameStyle(name: string, kind: GroundKind, { colours, fontFamily }: GroundLook): Style {
  const text = new Text({
    text: name,
    font: `${NAME_PX}px ${fontFamily}`,
    placement: isLine(kind) ? 'line' : 'point',
    overflow: !isLine(kind),
    fill: new Fill({ color: colours.text }),
    stroke: new Stroke({ color: colours.halo, width: 2.5 }),
    repeat: 400,
  })
  return new Style({ text, zIndex: NAME_HEIGHT })
}

const isArea = (feature: FeatureLike): boolean =>
  feature.getGeometry()?.getType().endsWith('Polygon') === true

/** The plain look of the base map: what a feature is decides its colour and, with the zoom, its width. */
export function createGroundStyle(look: GroundLook): StyleFunction {
  let cached: { readonly resolution: number; readonly styles: Map<GroundKind, Style[]> } | undefined
  return (feature, resolution) => {
    const get = (name: string): unknown => feature.get(name)
    const geometry = feature.getGeometry()?.getType()
    if (geometry === undefined || geometry.endsWith('Point')) return []
    const kind = toGroundKind(get, isArea(feature))
    const zoom = toZoom(resolution)
    if (!kind || zoom < fromZoom[kind][0]) return []
    if (cached?.resolution !== resolution) cached = { resolution, styles: new Map() }
    const known = cached.styles.get(kind)
    const styles =
      known ?? (isLine(kind) ? toLineStyles(kind, look.colours, zoom) : toAreaStyles(kind, look.colours))
    if (!known) cached.styles.set(kind, styles)
    const name = zoom < fromZoom[kind][1] ? '' : toGroundName(get, look.language)
    const drawn = isOnlyName(get) ? [] : styles
    return name === '' ? drawn : [...drawn, toNameStyle(name, kind, look)]
  }
}
