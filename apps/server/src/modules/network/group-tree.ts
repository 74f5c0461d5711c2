import type { Group } from '@isotherm/contract/endpoints/network'
import type { GroupRow } from './store.ts'

const ROOT_PARENT = 0

/** Project of a path: its first id. */
const projectOf = (path: string): number => Number(path.split('/')[1])

/**
 * The groups of `rows` below the node `parentId`, nested, in the order of the rows. `counts` gives the
 * devices in each subtree by path.
 */
export function toGroups(
  rows: readonly GroupRow[],
  parentId: number,
  counts?: ReadonlyMap<string, number>,
): Group[] {
  const childrenOf = Map.groupBy(rows, (row) => row.parentId ?? ROOT_PARENT)
  const below = (id: number): Group[] =>
    (childrenOf.get(id) ?? []).map((row) => ({
      id: row.id,
      title: row.name,
      level: row.level,
      parentId: id,
      projectId: projectOf(row.path),
      description: '',
      deviceId: null,
      ...(counts ? { devCount: counts.get(row.path) ?? 0 } : {}),
      childrens: below(row.id),
    }))
  return below(parentId)
}
