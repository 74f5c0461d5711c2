import { useQueryClient } from '@tanstack/react-query'
import { useLiveNews } from '../../../shared/live/use-live.ts'
import { applyProgress } from './batch-cache.ts'

/** Keeps the cached batches current while the page is open. */
export function useBatchUpdates(): void {
  const client = useQueryClient()
  useLiveNews((news) => {
    if (news.type === 'batch') applyProgress(client, news)
  })
}
