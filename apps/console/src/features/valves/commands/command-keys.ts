import type { NodeKey } from '@isotherm/contract/tree'
import type { CommandGroup } from './command-groups.ts'

/** Cache keys of commands. A pushed command is applied to every list under `all`. */
export const commandKeys = {
  all: ['valves', 'commands'],
  /** Lists with the newest command first. Only these are fetched again for a new command. */
  logs: ['valves', 'commands', 'log'],
  lasts: ['valves', 'commands', 'last'],
  last: (ids: readonly number[]) => ['valves', 'commands', 'last', ids],
  /** The commands of a batch, by group and page. */
  rows: (batchId: string) => ['valves', 'commands', 'batch', batchId],
  rowsPage: (batchId: string, group: CommandGroup | 'all', page: number) => [
    'valves',
    'commands',
    'batch',
    batchId,
    group,
    page,
  ],
} as const

/** Cache keys of batches. */
export const batchKeys = {
  all: ['valves', 'batches'],
  one: (batchId: string) => ['valves', 'batches', 'one', batchId],
  lists: ['valves', 'batches', 'list'],
  list: (nodes: readonly NodeKey[], page: number) => ['valves', 'batches', 'list', nodes, page],
} as const
