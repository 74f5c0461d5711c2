import type { MapMetric } from '@isotherm/contract/network/map'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type MapThings, mergeTiles } from '../paint/to-drawn.ts'
import { type MapView, type Size, toTiles } from '../view/mercator.ts'
import { type MapSubject, tileQuery } from './place-queries.ts'
import { type Picture, toShownThings } from './shown-picture.ts'

export interface Shown {
  readonly things: MapThings
  /** No tile has loaded yet. */
  readonly isPending: boolean
  /** Why a tile could not be loaded. */
  readonly error: Error | null
  readonly retry: () => void
}

const combine = (results: readonly UseQueryResult<MapThings>[]) => ({
  loaded: results.flatMap(({ data }) => data ?? []),
  isPending: results.some(({ isPending }) => isPending),
  error: results.find(({ error }) => error !== null)?.error ?? null,
  retry: () => {
    for (const { refetch } of results) void refetch()
  },
})

const toPictureKey = ({ nodes, coordinates }: MapSubject, metric: MapMetric | undefined) =>
  [nodes, coordinates, metric ?? null] as const

/** The content of the tiles under a view. While tiles of another grid load, the last complete picture stays. */
export function useThings(
  subject: MapSubject,
  metric: MapMetric | undefined,
  view: MapView,
  size: Size,
): Shown {
  const tiles = toTiles(view, size)
  const queries = tiles.map((tile) => tileQuery(subject, metric, tile))
  const { loaded, isPending, error, retry } = useQueries({ queries, combine })
  const merged = useMemo(() => mergeTiles(loaded), [loaded])
  const isEmpty = loaded.length === 0
  const coming = { things: merged, grid: tiles[0]?.z, of: toPictureKey(subject, metric), isPending, isEmpty }
  const [last, setLast] = useState<Picture>()
  if (!isPending && last?.things !== merged) setLast(coming)
  return { things: toShownThings(coming, last), isPending: isPending && isEmpty, error, retry }
}
