import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/network'
import type { NodeKey } from '@isotherm/contract/tree'
import type { Scope } from '../../platform/scope.ts'

/** The tree: what the caller's scope shows of it. */
export interface NetworkService {
  listProjects(
    scope: Scope,
    query: InputOf<typeof api.queryProjectList>,
  ): Promise<OutputOf<typeof api.queryProjectList>>
  getGroups(scope: Scope, query: InputOf<typeof api.getDevGroups>): Promise<OutputOf<typeof api.getDevGroups>>
  listSubdivisions(
    scope: Scope,
    query: InputOf<typeof api.getSubdiv>,
  ): Promise<OutputOf<typeof api.getSubdiv>>
  listSubUsers(scope: Scope, query: InputOf<typeof api.getVauser>): Promise<OutputOf<typeof api.getVauser>>
  /**
   * Disjoint paths of the subtrees the keys name, cut down to the scope: a node that only leads into the
   * scope stands for the granted subtrees below it. No keys at all, or the root's, mean the whole scope
   * (['/'] when that is everything). Throws node.not-found for an unknown or foreign key.
   */
  resolveNodes(scope: Scope, keys: readonly NodeKey[]): Promise<readonly string[]>
  /** Paths of nodes by id, for grants; an id that is gone is left out. */
  getPaths(ids: readonly number[]): Promise<readonly string[]>
}
