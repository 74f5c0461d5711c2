import type { NodeKey } from '@isotherm/contract/tree'
import type { CommandGroup } from './command-groups.ts'

/** Keys under which commands are cached, so that a pushed command finds every list it stands in. */
export const commandKeys = {
  all: ['valves', 'commands'],
  /** Lists newest first; the others are not asked for anew when a command is given. */
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

/** Keys under which batches are cached. */
export const batchKeys = {
  all: ['valves', 'batches'],
  one: (batchId: string) => ['valves', 'batches', 'one', batchId],
  lists: ['valves', 'batches', 'list'],
  list: (nodes: readonly NodeKey[], page: number) => ['valves', 'batches', 'list', nodes, page],
} as const
