import type { balancingEndpoints } from '@isotherm/contract/endpoints/control/balancing'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { BalancingService } from './service.ts'

export type BalancingHandlers = HandlersOf<keyof typeof balancingEndpoints>

export const createBalancingHandlers = (balancing: BalancingService): BalancingHandlers => ({
  getBalance: (input, { caller }) => balancing.getBalance(caller, input),
  getBalanceTrend: (input, { caller }) => balancing.getTrend(caller, input),
  getCampaigns: (input, { caller }) => balancing.list(caller, input),
  getCampaign: ({ id }, { caller }) => balancing.get(caller, id),
  addCampaign: (input, call) => balancing.add(call, input),
  replanCampaign: (input, call) => balancing.replan(call, input),
  approveCampaign: (input, call) => balancing.approve(call, input),
  discardCampaign: (input, call) => balancing.move(call, 'discard', input),
  pauseCampaign: (input, call) => balancing.move(call, 'pause', input),
  resumeCampaign: (input, call) => balancing.move(call, 'resume', input),
  trimCampaign: (input, call) => balancing.trim(call, input),
  acceptCampaign: (input, call) => balancing.move(call, 'accept', input),
  rollbackCampaign: (input, call) => balancing.move(call, 'rollback', input),
  exportCampaign: (input, call) => balancing.exportReport(call, input),
})
