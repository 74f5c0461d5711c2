import type { meterEndpoints } from '@isotherm/contract/endpoints/monitoring/meters'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import { createCallerGate } from '../../platform/tasks/turns/caller-gate.ts'
import type { BillService } from './bills/bill-service.ts'
import type { MetersService } from './service.ts'

export type MetersHandlers = HandlersOf<keyof typeof meterEndpoints>

/** The rows may count the heat of all meters of a company; the engine also has to take in readings. */
const SUMS = { running: 2, waiting: 20 } as const

export function createMetersHandlers(meters: MetersService, bills: BillService): MetersHandlers {
  const gate = createCallerGate(SUMS)
  return {
    getMeterRows: (input, { caller }) => gate(() => meters.getRows(caller.scope, input)),
    getMeterCourse: (input) => gate(() => meters.getCourse(input)),
    exportHeatBills: (input, call) => bills.exportBills(call, input),
  }
}
