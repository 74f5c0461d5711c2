import { createGate } from '@isotherm/kernel/gate'
import type { TreeSource } from './tree-source.ts'

/** Most calls the tree has under way at once: what is expanded may be hundreds of nodes. */
const MOST_CALLS = 4

/** The same calls, at most four of them at once. */
export function limitCalls(source: TreeSource): TreeSource {
  const gate = createGate({ running: MOST_CALLS })
  return {
    listProjects: (page, size) => gate(() => source.listProjects(page, size)),
    listGroups: (projectId, groupId) => gate(() => source.listGroups(projectId, groupId)),
    listSubUsers: (chain) => gate(() => source.listSubUsers(chain)),
    listSubdivisions: (chain) => gate(() => source.listSubdivisions(chain)),
  }
}
