import type { historyEndpoints } from '@isotherm/contract/endpoints/monitoring/history'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { ExportService } from './export/export-service.ts'
import type { HistoryService } from './queries/history-service.ts'

export type HistoryHandlers = HandlersOf<
  'getDataHisFromDevs' | 'rbacGetDataHisFromDevs' | keyof typeof historyEndpoints
>

export const createHistoryHandlers = (history: HistoryService, exports: ExportService): HistoryHandlers => ({
  getDataHisFromDevs: (input, { caller }) => history.getCurves(caller.scope, input),
  rbacGetDataHisFromDevs: (input, { caller }) => history.getCurves(caller.scope, input),
  getDataBuckets: (input, { caller }) => history.getBuckets(caller.scope, input),
  getDataSegments: (input, { caller }) => history.getSegments(caller.scope, input),
  countDataRows: (input, call) => exports.countRows(call, input),
  exportDataRows: (input, call) => exports.exportRows(call, input),
  getDataSpread: (input, { caller }) => history.getSpread(caller.scope, input),
})
