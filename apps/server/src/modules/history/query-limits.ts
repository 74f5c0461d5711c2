import { createGate } from '@isotherm/kernel/gate'
import { AppError } from '../../platform/app-error.ts'
import type { ExportStore } from './export/export-store.ts'
import type { HistoryStore } from './queries/history-store.ts'

/** Curves are quick, so many may wait for each other; what goes through a company is not. */
const CURVES = { running: 6, waiting: 200 } as const
const SUMS = { running: 3, waiting: 30 } as const

const refuse = (): Error => new AppError('request.too-many')

/** The stores with no more questions at once than leave the engine room for what is stored. Throws request.too-many. */
export function inTurn(
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
