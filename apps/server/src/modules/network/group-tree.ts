import type { Group } from '@isotherm/contract/endpoints/network'
import type { GroupRow } from './store.ts'

/** What the devices say of the groups: by path how many each subtree holds, by id which one controls the group. */
export interface GroupDevices {
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
  { counts, controllers }: GroupDevices,
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
      childrens: below(row.id),
    }))
  return below(parentId)
}
