import type { Group } from '@isotherm/contract/endpoints/network'
import { toNodeAbilities, type Viewer } from './policy.ts'
import type { GroupRow } from './store.ts'

/** Who looks, and what the devices say of the groups: by path how many each subtree holds, by id which one controls the group. */
export interface GroupSurroundings {
  readonly viewer: Viewer
  readonly counts?: ReadonlyMap<string, number> | undefined
  readonly controllers: ReadonlyMap<number, number>
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
  const childrenOf = Map.groupBy(rows, (row) => row.parentId ?? ROOT_PARENT)
  const below = (id: number): Group[] =>
    (childrenOf.get(id) ?? []).map((row) => ({
      id: row.id,
      title: row.name,
      level: row.level,
      parentId: id,
      projectId: projectOf(row.path),
      description: row.description,
      deviceId: controllers.get(row.id) ?? null,
      ...(counts ? { devCount: counts.get(row.path) ?? 0 } : {}),
      version: row.version,
      abilities: toNodeAbilities(viewer, row),
      childrens: below(row.id),
    }))
  return below(parentId)
}
