import { hashKey, type QueryKey } from '@tanstack/react-query'
import type { MapThings } from '../paint/to-drawn.ts'

/** Merged content of tiles, with the key of its subject. */
export interface Picture {
  readonly things: MapThings
  /** Depth of the grid of the tiles. */
  readonly grid: number | undefined
  /** Selection, coordinates and metric. */
  readonly of: QueryKey
}

export interface ComingPicture extends Picture {
  /** Some tiles are still loading. */
  readonly isPending: boolean
  readonly isEmpty: boolean
}

/**
 * The content to show while tiles load: the last complete picture while tiles of another grid load. A picture of
 * another selection or metric is never used, because its values have another meaning or unit.
 */
export function toShownThings(coming: ComingPicture, last: Picture | undefined): MapThings {
  if (!coming.isPending || !last || hashKey(last.of) !== hashKey(coming.of)) return coming.things
  return last.grid !== coming.grid || coming.isEmpty ? last.things : coming.things
}

/** True if two list keys are equal apart from the map box, which is their last part. */
export const isSameExceptBox = (before: QueryKey | undefined, now: QueryKey): boolean =>
  before !== undefined && hashKey(before.slice(0, -1)) === hashKey(now.slice(0, -1))
