import { ROOT_KEY } from '@isotherm/contract/tree'
import { AppError } from '../../../platform/app-error.ts'
import { covers, scopeOfEverything } from '../../../platform/scope/scope.ts'
import type { NetworkService } from '../../network/index.ts'
import type { UsersDependencies } from '../dependencies.ts'

/** Id of the node a path ends at: 12 of /1/4/12/. */
const toLastId = (path: string): number => Number(path.split('/').at(-2))

/** Finds the row ids of places to grant. The root has no row and cannot be granted: `seesAll` does that. */
export const createToGrantSet =
  ({ findParts }: Pick<NetworkService, 'findParts'>): UsersDependencies['toGrantSet'] =>
  async (scope, { nodes, deviceIds }) => {
    const parts = await findParts(scopeOfEverything, nodes)
    const nodeIds = nodes.map((key) => {
      const [path] = parts.get(key) ?? []
      // A node that is visible only as an ancestor of granted nodes cannot be granted on.
      if (key === ROOT_KEY || path === undefined || !covers(scope, path)) throw new AppError('node.not-found')
      return toLastId(path)
    })
    return { nodeIds: [...new Set(nodeIds)], deviceIds: [...new Set(deviceIds)] }
  }
