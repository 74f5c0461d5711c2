import { toUpFilter, upChannels } from '@isotherm/contract/mqtt'
import type { Cell } from '../cell/cell.ts'

/**
 * Topic of messages between the replicas of a cell, or of a server that serves all companies. Gateways have no access to
 * it. Servers of other companies do not receive it.
 */
export const toReplicaTopic = (cell: Cell | undefined): string =>
  cell === undefined ? 'isotherm/v1/replicas' : `isotherm/v1/replicas/${cell.name}`

/**
 * Filters of the messages of gateways. `group`: the replicas of this name share the messages, each one gets a part.
 * Every cell has a group of its own. Births are not shared: every replica needs all of them from the start, and a shared
 * subscription does not deliver retained messages.
 */
export function listUpFilters(cell: Cell | undefined, group: string | undefined): string[] {
  const shared = group === undefined ? '' : `$share/${cell === undefined ? group : `${group}-${cell.name}`}/`
  return (cell?.tenants ?? ['+']).flatMap((tenant) =>
    upChannels.map((channel) => `${channel === 'birth' ? '' : shared}${toUpFilter(channel, tenant)}`),
  )
}
