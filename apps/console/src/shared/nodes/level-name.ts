import { type TreeLevelName, treeLevels } from '@isotherm/contract/tree'

const isLevelName = (name: string): name is TreeLevelName => Object.hasOwn(treeLevels, name)
const byLevel = new Map<number, TreeLevelName>(
  Object.keys(treeLevels)
    .filter(isLevelName)
    .map((name) => [treeLevels[name], name]),
)

/** Key of a level's text below `level` in the common texts; an address below the last one has none of its own. */
export const findLevelName = (level: number): TreeLevelName | undefined => byLevel.get(level)
