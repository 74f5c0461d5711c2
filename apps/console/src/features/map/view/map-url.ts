import type { NodeKey } from '@isotherm/contract/tree'
import { findKnown, toSearch } from '../../../shared/url/url-words.ts'
import { type ColourBy, colourings } from './colour-by.ts'
import { MAX_ZOOM, type MapView } from './mercator.ts'

/** On a narrow screen, either the map or the list is shown. */
export const sides = ['map', 'list'] as const
export type MapSide = (typeof sides)[number]

/** Orders of the list (contract). */
export const listOrders = ['tree', 'lowest', 'highest'] as const
export type ListOrder = (typeof listOrders)[number]

/** State of the map page in its address. */
export interface MapUrl {
  readonly by: ColourBy
  /** The view, in base map coordinates; undefined until the user moves the map. */
  readonly view: MapView | undefined
  /** Mark of the tree selection at that time. */
  readonly of: string
  /** The node whose details are shown. */
  readonly place: NodeKey | undefined
  readonly side: MapSide
  readonly order: ListOrder
}

const DEFAULT_COLOURING = 'temp.return'

function parseView(text: string | null): MapView | undefined {
  const [longitudeDeg, latitudeDeg, zoom, ...more] = (text ?? '').split(',').map(Number)
  if (longitudeDeg === undefined || latitudeDeg === undefined || zoom === undefined || more.length > 0)
    return undefined
  const isInWorld = Math.abs(longitudeDeg) <= 180 && Math.abs(latitudeDeg) <= 90
  return isInWorld && zoom >= 0 && zoom <= MAX_ZOOM
    ? { center: [longitudeDeg, latitudeDeg], zoom }
    : undefined
}

/** Precision: 0.1 m and 0.01 zoom steps. */
const toViewText = ({ center: [longitudeDeg, latitudeDeg], zoom }: MapView): string =>
  [longitudeDeg.toFixed(6), latitudeDeg.toFixed(6), zoom.toFixed(2)].map(Number).join(',')

export const parseMapUrl = (search: URLSearchParams): MapUrl => ({
  by: findKnown(search.get('by'), colourings) ?? DEFAULT_COLOURING,
  view: parseView(search.get('at')),
  of: search.get('of') ?? '',
  place: search.get('place') ?? undefined,
  side: findKnown(search.get('show'), sides) ?? 'map',
  order: findKnown(search.get('order'), listOrders) ?? 'tree',
})

export const toMapSearch = (url: MapUrl): URLSearchParams =>
  toSearch({
    by: url.by === DEFAULT_COLOURING ? '' : url.by,
    at: url.view ? toViewText(url.view) : '',
    of: url.view ? url.of : '',
    place: url.place ?? '',
    show: url.side === 'map' ? '' : url.side,
    order: url.order === 'tree' ? '' : url.order,
  })
