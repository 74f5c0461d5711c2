import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useLiveNotifications } from '../../../shared/live/use-live.ts'
import { useRefetchOnReturn } from '../../../shared/live/use-refetch-on-return.ts'
import { batchKeys } from '../commands/command-keys.ts'
import { applyProgress } from './batch-cache.ts'

/** Updates the cached batches by pushed progress while the page is open. */
export function useBatchUpdates(): void {
  const client = useQueryClient()
  const announced = useRef(new Set<string>())
  useRefetchOnReturn(batchKeys.all)
  useLiveNotifications((notification) => {
    if (notification.type === 'batch') applyProgress(client, notification, announced.current)
  })
}
