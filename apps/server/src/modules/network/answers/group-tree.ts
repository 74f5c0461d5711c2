import type { Group } from '@isotherm/contract/endpoints/network/network'
import { createCover, ROOT_PATH } from '../../../platform/scope/scope.ts'
import { toNodeAbilities, type Viewer } from '../nodes/policy.ts'
import type { GroupRow } from './groups.pg.ts'

export interface GroupContext {
  readonly viewer: Viewer
  /** Number of devices in each subtree, by path. */
  readonly counts?: ReadonlyMap<string, number> | undefined
  /** Ids of the station controllers of each node, the oldest first. */
  readonly controllers: ReadonlyMap<number, readonly number[]>
}

const ROOT_PARENT = 0

/** Project id of a path: its first id. */
const projectOf = (path: string): number => Number(path.split('/')[1])

/** Nests the groups of `rows` below the node `parentId`, in the order of the rows. */
export function toGroups(
  rows: readonly GroupRow[],
  parentId: number,
  { viewer, counts, controllers }: GroupContext,
): Group[] {
  const isGranted = createCover(viewer.scope.kind === 'all' ? [ROOT_PATH] : viewer.scope.paths)
  // If a node has two controllers, the older one counts. A controller may be granted individually.
  const findController = ({ id, path }: GroupRow) =>
    controllers.get(id)?.find((deviceId) => isGranted(`${path}d${deviceId}/`))
  const childrenOf = Map.groupBy(rows, (row) => row.parentId ?? ROOT_PARENT)
  const below = (id: number): Group[] =>
    (childrenOf.get(id) ?? []).map((row) => ({
      id: row.id,
      title: row.name,
      level: row.level,
      parentId: id,
      projectId: projectOf(row.path),
      description: row.description,
      deviceId: findController(row) ?? null,
      ...(counts ? { devCount: counts.get(row.path) ?? 0 } : {}),
      version: row.version,
      abilities: toNodeAbilities(viewer, row),
      childrens: below(row.id),
    }))
  return below(parentId)
}
