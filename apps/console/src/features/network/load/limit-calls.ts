import { createGate } from '@isotherm/kernel/gate'
import type { TreeSource } from './tree-source.ts'

/** Maximum number of concurrent calls of the tree, because hundreds of nodes may be expanded at once. */
const MAX_CALLS = 4

/** The same source with at most four concurrent calls. */
export function limitCalls(source: TreeSource): TreeSource {
  const gate = createGate({ running: MAX_CALLS })
  return {
    listProjects: (page, size) => gate(() => source.listProjects(page, size)),
    listGroups: (projectId, groupId) => gate(() => source.listGroups(projectId, groupId)),
    listSubUsers: (chain) => gate(() => source.listSubUsers(chain)),
    listSubdivisions: (chain) => gate(() => source.listSubdivisions(chain)),
  }
}
