import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useAskOnReturn } from '../../../shared/live/use-ask-on-return.ts'
import { useLiveNews } from '../../../shared/live/use-live.ts'
import { batchKeys } from '../commands/command-keys.ts'
import { applyProgress } from './batch-cache.ts'

/** Updates the cached batches by pushed progress while the page is open. */
export function useBatchUpdates(): void {
  const client = useQueryClient()
  const announced = useRef(new Set<string>())
  useAskOnReturn(batchKeys.all)
  useLiveNews((news) => {
    if (news.type === 'batch') applyProgress(client, news, announced.current)
  })
}
