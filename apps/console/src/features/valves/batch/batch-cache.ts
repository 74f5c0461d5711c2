import type { BatchProgress, CommandBatch } from '@isotherm/contract/command'
import type { QueryClient } from '@tanstack/react-query'
import { batchKeys } from '../commands/command-keys.ts'
import { countGroup } from './batch-figures.ts'

interface BatchPage {
  readonly datalist: readonly CommandBatch[]
  readonly total: number
}

/** Whether a caller may now do something else with the batch, or sees another part of it than what was told. */
const isToBeAsked = (held: CommandBatch, told: BatchProgress): boolean =>
  held.state !== told.state ||
  held.total !== told.total ||
  countGroup(held, 'failed') > 0 !== countGroup(told, 'failed') > 0

const take = (held: CommandBatch, told: BatchProgress): CommandBatch =>
  held.total === told.total ? { ...held, ...told } : held

/** The first page of a list: only there does what is new belong. */
const isFirstPage = (listKey: readonly unknown[]): boolean => listKey.at(-1) === 1

/**
 * Puts how far a batch is into what is cached of it; what the server has to say anew is asked for. Of a batch that is
 * in no list the lists are asked only once, which `asked` keeps: it may be below other nodes than they show.
 */
export function applyProgress(client: QueryClient, told: BatchProgress, asked: Set<string>): void {
  const key = batchKeys.one(told.id)
  const held = client.getQueryData<CommandBatch>(key)
  if (held) {
    client.setQueryData(key, take(held, told))
    if (isToBeAsked(held, told)) client.invalidateQueries({ queryKey: key }, { cancelRefetch: false })
  }
  const isUnheardOf = !asked.has(told.id)
  for (const [listKey, page] of client.getQueriesData<BatchPage>({ queryKey: batchKeys.lists })) {
    if (!page) continue
    const listed = page.datalist.find(({ id }) => id === told.id)
    if (listed) {
      const datalist = page.datalist.map((batch) => (batch === listed ? take(batch, told) : batch))
      client.setQueryData(listKey, { ...page, datalist })
      if (isToBeAsked(listed, told)) {
        client.invalidateQueries({ queryKey: listKey }, { cancelRefetch: false })
      }
    } else if (isUnheardOf && isFirstPage(listKey) && told.id > (page.datalist[0]?.id ?? '')) {
      // ULIDs order by time: one that is newer than the first is new. An answer under way may be from before it.
      asked.add(told.id)
      client.invalidateQueries({ queryKey: listKey })
    }
  }
}
