import type {
  DataDrivenPropertyValueSpecification,
  ExpressionSpecification,
  LayerSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl'
import type { MapColours } from './map-colours.ts'
import { type DrawnData, NETWORK } from './to-drawn.ts'

/** Pictures of streets below the network. */
export interface BaseTiles {
  /** Address of one with {z}, {x} and {y} in it. */
  readonly url: string
  readonly attribution: string
  readonly maxZoom: number
}

export interface StyleInput {
  readonly colours: MapColours
  readonly isByHealth: boolean
  readonly tiles: BaseTiles | undefined
  readonly data: DrawnData
}

/** No server of letters is asked: the browser draws them from the fonts it has. */
const FONTS = [
  'PingFang SC',
  'Microsoft YaHei',
  'Noto Sans SC',
  'Noto Sans CJK SC',
  'system-ui',
  'sans-serif',
]

/** Names stand beside buildings from here on; farther away they would lie on each other. */
const NAMES_FROM_ZOOM = 14.5

const isKind = (...kinds: readonly string[]): ExpressionSpecification => [
  'in',
  ['get', 'kind'],
  ['literal', [...kinds]],
]

/** Finds what is chosen: a place by its node, not the pipe that leads there. */
export const isChosen = (key: string | undefined): ExpressionSpecification => [
  'all',
  ['==', ['get', 'key'], key ?? ''],
  ['!', isKind('pipe')],
]

type Colour = DataDrivenPropertyValueSpecification<string>

const toHealthFill = ({ health, surface }: MapColours): Colour => [
  'match',
  ['get', 'health'],
  'good',
  health.good,
  'caution',
  health.caution,
  'alarm',
  health.alarm,
  'none',
  health.none,
  surface,
]

/** What nobody tells anything of is as the page's surface. */
function toFill({ colours, isByHealth }: StyleInput): Colour {
  if (isByHealth) return toHealthFill(colours)
  const [low, middle, high] = colours.ramp
  const ramp: ExpressionSpecification = [
    'interpolate',
    ['linear'],
    ['get', 'share'],
    0,
    low,
    0.5,
    middle,
    1,
    high,
  ]
  return ['case', ['has', 'share'], ramp, colours.surface]
}

/** Whatever it is coloured by: where half of the devices or more fail, the edge says so. */
const toEdge = ({ health, ink }: MapColours): Colour => [
  'match',
  ['get', 'health'],
  'alarm',
  health.alarm,
  ink,
]
const EDGE_PX: ExpressionSpecification = ['match', ['get', 'health'], 'alarm', 2.5, 1]

/** A name stands where there is room for it, or not at all. */
const beside = (ems: number): SymbolLayerSpecification['layout'] => ({
  'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
  'text-radial-offset': ems,
  'text-justify': 'auto',
})

const byZoom = (...stops: readonly number[]): ExpressionSpecification => [
  'interpolate',
  ['linear'],
  ['zoom'],
  ...stops,
]

function toLayers(input: StyleInput): LayerSpecification[] {
  const { colours, tiles } = input
  const fill = toFill(input)
  const edge = toEdge(colours)
  const source = NETWORK
  const text = { 'text-font': FONTS, 'text-size': 12 }
  const halo = { 'text-color': colours.ink, 'text-halo-color': colours.surface, 'text-halo-width': 1.5 }
  return [
    { id: 'ground', type: 'background', paint: { 'background-color': colours.ground } },
    ...(tiles ? [{ id: 'tiles', type: 'raster', source: 'tiles' } as const] : []),
    {
      id: 'pipes',
      type: 'line',
      source,
      filter: isKind('pipe'),
      layout: { 'line-cap': 'round' },
      paint: {
        'line-color': colours.accent,
        'line-opacity': 0.55,
        'line-width': ['interpolate', ['linear'], ['zoom'], 10, 0.6, 18, ['case', ['get', 'main'], 5, 2.5]],
      },
    },
    {
      id: 'buildings',
      type: 'circle',
      source,
      filter: isKind('place'),
      paint: {
        'circle-radius': byZoom(10, 3, 14, 5, 18, 11),
        'circle-color': fill,
        'circle-stroke-color': edge,
        'circle-stroke-width': EDGE_PX,
      },
    },
    {
      id: 'clusters',
      type: 'circle',
      source,
      filter: isKind('cluster'),
      paint: {
        'circle-radius': ['interpolate', ['linear'], ['sqrt', ['get', 'count']], 1, 11, 40, 34],
        'circle-color': fill,
        'circle-stroke-color': edge,
        'circle-stroke-width': EDGE_PX,
      },
    },
    {
      id: 'station-rings',
      type: 'circle',
      source,
      filter: isKind('station'),
      paint: {
        'circle-radius': byZoom(8, 7, 14, 11, 18, 17),
        'circle-color': colours.surface,
        'circle-stroke-color': edge,
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'stations',
      type: 'circle',
      source,
      filter: isKind('station'),
      paint: { 'circle-radius': byZoom(8, 4, 14, 7, 18, 12), 'circle-color': fill },
    },
    {
      id: 'chosen',
      type: 'circle',
      source,
      filter: isChosen(undefined),
      paint: {
        'circle-radius': byZoom(10, 11, 14, 15, 18, 22),
        'circle-opacity': 0,
        'circle-stroke-color': colours.accent,
        'circle-stroke-width': 3,
      },
    },
    {
      id: 'counts',
      type: 'symbol',
      source,
      filter: isKind('cluster'),
      layout: { ...text, 'text-field': ['get', 'text'], 'text-allow-overlap': true },
      paint: halo,
    },
    {
      id: 'names',
      type: 'symbol',
      source,
      filter: isKind('place'),
      minzoom: NAMES_FROM_ZOOM,
      layout: { ...text, 'text-field': ['get', 'text'], ...beside(0.9) },
      paint: halo,
    },
    {
      id: 'station-names',
      type: 'symbol',
      source,
      filter: isKind('station'),
      layout: { ...text, 'text-field': ['get', 'text'], ...beside(1.3) },
      paint: halo,
    },
  ]
}

/** The whole map: plain ground or pictures of streets, and the network on it. */
export function toStyle(input: StyleInput): StyleSpecification {
  const { tiles, data } = input
  return {
    version: 8,
    sources: {
      ...(tiles && {
        tiles: {
          type: 'raster',
          tiles: [tiles.url],
          tileSize: 256,
          maxzoom: tiles.maxZoom,
          attribution: tiles.attribution,
        },
      }),
      [NETWORK]: { type: 'geojson', data },
    },
    layers: toLayers(input),
  }
}

/** Layers of what can be chosen, the foremost first. */
export const CHOOSABLE = ['stations', 'station-rings', 'clusters', 'buildings'] as const
