import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { NetworkService } from '../../network/index.ts'
import type { ListFindings } from './finding-changes.ts'

/** Lists the findings of devices that the scope covers. */
export const createListFindings =
  (network: Pick<NetworkService, 'resolveNodes'>, list: ListFindings) =>
  async (scope: Scope, query: InputOf<typeof getFindings>): Promise<OutputOf<typeof getFindings>> => {
    const { node, deviceIds, rules, isOpen, from, to, limiter } = query
    const paths = node === undefined ? undefined : await network.resolveNodes(scope, [node])
    return list(scope, { paths, deviceIds, rules, isOpen, from, to, limiter })
  }
