import type { savingsEndpoints } from '@isotherm/contract/endpoints/control/savings'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import type { SavingsService } from './service.ts'

export type SavingsHandlers = HandlersOf<keyof typeof savingsEndpoints>

export const createSavingsHandlers = (savings: SavingsService): SavingsHandlers => ({
  getHeatSaving: (input, { caller }) => savings.getSaving(caller, input),
  setEnergyPrice: (input, call) => savings.setPrice(call, input),
})
