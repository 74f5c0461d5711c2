import { hashKey, type QueryKey } from '@tanstack/react-query'
import type { MapThings } from '../paint/to-drawn.ts'

/** What some tiles hold together, and what it is a picture of. */
export interface Picture {
  readonly things: MapThings
  /** Depth of the grid of the tiles. */
  readonly grid: number | undefined
  /** Selection, coordinates and metric. */
  readonly of: QueryKey
}

export interface ComingPicture extends Picture {
  /** Some of its tiles are not there yet. */
  readonly isPending: boolean
  readonly isEmpty: boolean
}

/**
 * What to show while tiles come: the last whole picture as long as those of another grid come. A picture of another
 * selection or metric is none of this: its values would stand there in a wrong unit.
 */
export function toShownThings(coming: ComingPicture, last: Picture | undefined): MapThings {
  if (!coming.isPending || !last || hashKey(last.of) !== hashKey(coming.of)) return coming.things
  return last.grid !== coming.grid || coming.isEmpty ? last.things : coming.things
}

/** Whether two lists differ in the box of the map alone, which is the last part of their keys. */
export const isOtherBox = (before: QueryKey | undefined, now: QueryKey): boolean =>
  before !== undefined && hashKey(before.slice(0, -1)) === hashKey(now.slice(0, -1))
