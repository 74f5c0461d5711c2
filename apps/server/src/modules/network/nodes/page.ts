import type { FilterItem, Limiter } from '@isotherm/contract/filter'

/** One page of rows; `total` counts the rows of all pages. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

export interface PageQuery {
  readonly filter: readonly FilterItem[]
  readonly limiter: Limiter
}
