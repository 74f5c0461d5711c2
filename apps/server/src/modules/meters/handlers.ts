import type { meterEndpoints } from '@isotherm/contract/endpoints/monitoring/meters'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { BillService } from './bills/bill-service.ts'
import type { MetersService } from './service.ts'

export type MetersHandlers = HandlersOf<keyof typeof meterEndpoints>

export const createMetersHandlers = (meters: MetersService, bills: BillService): MetersHandlers => ({
  getMeterRows: (input, { caller }) => meters.getRows(caller.scope, input),
  getMeterCourse: (input) => meters.getCourse(input),
  exportHeatBills: (input, call) => bills.exportBills(call, input),
})
