import type { BatchProgress, CommandBatch } from '@isotherm/contract/command'
import type { QueryClient } from '@tanstack/react-query'
import { batchKeys } from '../commands/command-keys.ts'
import { countGroup } from './batch-figures.ts'

interface BatchPage {
  readonly datalist: readonly CommandBatch[]
  readonly total: number
}

/** True if the abilities may have changed, or the progress counts more commands than the user may see. */
const needsRefetch = (cached: CommandBatch, progress: BatchProgress): boolean =>
  cached.state !== progress.state ||
  cached.total !== progress.total ||
  countGroup(cached, 'failed') > 0 !== countGroup(progress, 'failed') > 0

const merge = (cached: CommandBatch, progress: BatchProgress): CommandBatch =>
  cached.total === progress.total ? { ...cached, ...progress } : cached

/** New batches belong on the first page only. */
const isFirstPage = (listKey: readonly unknown[]): boolean => listKey.at(-1) === 1

/**
 * Applies pushed progress to the cached batch and lists, and invalidates those that must be fetched again.
 * `announced`: ids of batches that already invalidated the lists. A list may never contain such a batch, because the
 * batch belongs to other nodes.
 */
export function applyProgress(client: QueryClient, progress: BatchProgress, announced: Set<string>): void {
  const key = batchKeys.one(progress.id)
  const cached = client.getQueryData<CommandBatch>(key)
  if (cached) {
    client.setQueryData(key, merge(cached, progress))
    if (needsRefetch(cached, progress)) client.invalidateQueries({ queryKey: key }, { cancelRefetch: false })
  }
  const isNew = !announced.has(progress.id)
  for (const [listKey, page] of client.getQueriesData<BatchPage>({ queryKey: batchKeys.lists })) {
    if (!page) continue
    const listed = page.datalist.find(({ id }) => id === progress.id)
    if (listed) {
      const datalist = page.datalist.map((batch) => (batch === listed ? merge(batch, progress) : batch))
      client.setQueryData(listKey, { ...page, datalist })
      if (needsRefetch(listed, progress)) {
        client.invalidateQueries({ queryKey: listKey }, { cancelRefetch: false })
      }
    } else if (isNew && isFirstPage(listKey) && progress.id > (page.datalist[0]?.id ?? '')) {
      // ULIDs order by time: an id above the first one is new. A running fetch may have started before it.
      announced.add(progress.id)
      client.invalidateQueries({ queryKey: listKey })
    }
  }
}
