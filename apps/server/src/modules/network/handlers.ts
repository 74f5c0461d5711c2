import type { networkEndpoints } from '@isotherm/contract/endpoints/network'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { NetworkService } from './service.ts'

export const createNetworkHandlers = (
  network: NetworkService,
): HandlersOf<keyof typeof networkEndpoints | 'searchTree'> => ({
  queryProjectList: (input, { caller }) => network.listProjects(caller.scope, input),
  getDevGroups: (input, { caller }) => network.getGroups(caller.scope, input),
  getSubdiv: (input, { caller }) => network.listSubdivisions(caller.scope, input),
  getSubUser: (input, { caller }) => network.listSubUsers(caller.scope, input),
  searchTree: (input, { caller }) => network.searchTree(caller, input),
  getVauser: (input, { caller }) => network.listSubUsers(caller.scope, input),
})
