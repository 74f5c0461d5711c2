import type { savingsEndpoints } from '@isotherm/contract/endpoints/control/savings'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import { createCallerGate } from '../../../platform/tasks/turns/caller-gate.ts'
import type { SavingsService } from './service.ts'

export type SavingsHandlers = HandlersOf<keyof typeof savingsEndpoints>

/** A saving reads the hours of two heating seasons and takes some seconds of the processor. */
const SAVINGS = { running: 2, waiting: 20 } as const

export function createSavingsHandlers(savings: SavingsService): SavingsHandlers {
  const gate = createCallerGate(SAVINGS)
  return {
    getHeatSaving: (input, { caller }) => gate(() => savings.getSaving(caller, input)),
    setEnergyPrice: (input, call) => savings.setPrice(call, input),
  }
}
