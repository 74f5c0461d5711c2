import { type TreeLevelName, treeLevels } from '@isotherm/contract/tree'

const isLevelName = (name: string): name is TreeLevelName => Object.hasOwn(treeLevels, name)
const byLevel = new Map<number, TreeLevelName>(
  Object.keys(treeLevels)
    .filter(isLevelName)
    .map((name) => [treeLevels[name], name]),
)

/** Text key of a level, below `level` in the common texts. All levels below the household share one. */
export const findLevelName = (level: number): TreeLevelName | undefined => byLevel.get(level)
