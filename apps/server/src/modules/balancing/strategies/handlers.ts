import type { strategiesEndpoints } from '@isotherm/contract/endpoints/control/strategies'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import type { StrategyService } from './service.ts'

export type StrategyHandlers = HandlersOf<keyof typeof strategiesEndpoints>

export const createStrategyHandlers = (strategies: StrategyService): StrategyHandlers => ({
  getStrategies: (input, { caller }) => strategies.list(caller, input),
  getStrategy: ({ id }, { caller }) => strategies.get(caller, id),
  getStrategyHistory: ({ id, limiter }, { caller }) => strategies.listHistory(caller, id, limiter),
  previewStrategy: (input, { caller }) => strategies.preview(caller, input),
  addStrategy: (input, call) => strategies.add(call, input),
  updateStrategy: (input, call) => strategies.update(call, input),
  startStrategy: (input, call) => strategies.move(call, 'start', input),
  pauseStrategy: (input, call) => strategies.move(call, 'pause', input),
  endStrategy: (input, call) => strategies.move(call, 'end', input),
})
