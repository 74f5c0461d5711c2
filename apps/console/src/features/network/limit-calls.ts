import type { TreeSource } from './tree-source.ts'

/** Most calls the tree has under way at once: what is expanded may be hundreds of nodes. */
const MOST_CALLS = 4

/** Runs work as its turn comes, `most` at once, in the order asked. */
function createLimiter(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** The same calls, at most four of them at once. */
export function limitCalls(source: TreeSource): TreeSource {
  const limit = createLimiter(MOST_CALLS)
  return {
    listProjects: (page, size) => limit(() => source.listProjects(page, size)),
    listGroups: (projectId, groupId) => limit(() => source.listGroups(projectId, groupId)),
    listSubUsers: (chain) => limit(() => source.listSubUsers(chain)),
    listSubdivisions: (chain) => limit(() => source.listSubdivisions(chain)),
  }
}
