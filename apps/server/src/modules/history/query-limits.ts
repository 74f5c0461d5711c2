import { createGate } from '@isotherm/kernel/gate'
import { AppError } from '../../platform/app-error.ts'
import type { ExportStore } from './export/export-store.ts'
import type { HistoryStore } from './queries/history-store.ts'

/** Curves are fast, so many may wait. Queries over a whole company are not. */
const CURVES = { running: 6, waiting: 200 } as const
const SUMS = { running: 3, waiting: 30 } as const

const refuse = (): Error => new AppError('request.too-many')

/**
 * Limits the concurrent queries of the stores, so that the engine has capacity for inserts. Throws request.too-many.
 */
export function limitQueries(
  history: HistoryStore,
  exports: ExportStore,
): { readonly history: HistoryStore; readonly exports: ExportStore } {
  const curves = createGate({ ...CURVES, refuse })
  const sums = createGate({ ...SUMS, refuse })
  return {
    history: {
      readCurves: (query) => curves(() => history.readCurves(query)),
      readBuckets: (query) => sums(() => history.readBuckets(query)),
      readSpread: (query) => sums(() => history.readSpread(query)),
    },
    exports: { ...exports, count: (query) => sums(() => exports.count(query)) },
  }
}
