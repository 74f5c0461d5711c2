import { ROOT_KEY } from '@isotherm/contract/tree'
import { AppError } from '../../../platform/app-error.ts'
import { covers, scopeOfEverything } from '../../../platform/scope/scope.ts'
import type { NetworkService } from '../../network/index.ts'
import type { UsersNeeds } from '../dependencies.ts'

/** Id of the node a path ends at: 12 of /1/4/12/. */
const toLastId = (path: string): number => Number(path.split('/').at(-2))

/** Finds the rows of what is to be granted. No row stands behind the root: who is to see all is said by seesAll. */
export const createToGrantSet =
  ({ findParts }: Pick<NetworkService, 'findParts'>): UsersNeeds['toGrantSet'] =>
  async (scope, { nodes, deviceIds }) => {
    const parts = await findParts(scopeOfEverything, nodes)
    const nodeIds = nodes.map((key) => {
      const [path] = parts.get(key) ?? []
      // A node that only leads to what the caller is granted is not theirs to give.
      if (key === ROOT_KEY || path === undefined || !covers(scope, path)) throw new AppError('node.not-found')
      return toLastId(path)
    })
    return { nodeIds: [...new Set(nodeIds)], deviceIds: [...new Set(deviceIds)] }
  }
