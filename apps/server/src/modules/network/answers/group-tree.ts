import type { Group } from '@isotherm/contract/endpoints/network'
import { createCover, ROOT_PATH } from '../../../platform/scope/scope.ts'
import { toNodeAbilities, type Viewer } from '../nodes/policy.ts'
import type { GroupRow } from './store.ts'

/** Who looks, and what the devices say of the groups: by path how many each subtree holds, by id which control it. */
export interface GroupSurroundings {
  readonly viewer: Viewer
  readonly counts?: ReadonlyMap<string, number> | undefined
  readonly controllers: ReadonlyMap<number, readonly number[]>
}

const ROOT_PARENT = 0

/** Project of a path: its first id. */
const projectOf = (path: string): number => Number(path.split('/')[1])

/** The groups of `rows` below the node `parentId`, nested, in the order of the rows. */
export function toGroups(
  rows: readonly GroupRow[],
  parentId: number,
  { viewer, counts, controllers }: GroupSurroundings,
): Group[] {
  const isGranted = createCover(viewer.scope.kind === 'all' ? [ROOT_PATH] : viewer.scope.paths)
  // With two on one node the one that came first counts; one may be granted by itself.
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
