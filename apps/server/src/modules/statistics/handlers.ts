import type { statisticsEndpoints } from '@isotherm/contract/endpoints/monitoring/statistics'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { StatisticsService } from './service.ts'

export type StatisticsHandlers = HandlersOf<keyof typeof statisticsEndpoints>

export const createStatisticsHandlers = (statistics: StatisticsService): StatisticsHandlers => ({
  getReport: (input, { caller }) => statistics.getReport(caller.scope, input),
  exportReport: (input, call) => statistics.exportReport(call, input),
  getReportCourse: (input, { caller }) => statistics.getCourse(caller.scope, input),
})
