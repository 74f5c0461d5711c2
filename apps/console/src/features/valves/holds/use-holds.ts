import type { ValveHold } from '@isotherm/contract/command'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNow } from '../../../shared/format/use-now.ts'
import { useRefetchOnReturn } from '../../../shared/live/use-refetch-on-return.ts'
import { applyHoldEvents, toHoldOf } from './hold-cache.ts'
import { holdKeys, holdsQuery } from './hold-queries.ts'
import { useHoldEvents } from './use-hold-events.ts'

const noHolds: readonly ValveHold[] = []
/** Period at which expired holds are dropped, s. */
const EXPIRE_EVERY_S = 5

/** Updates the cached holds by pushed events while the page is open. */
export function useHoldUpdates(): void {
  const client = useQueryClient()
  useRefetchOnReturn(holdKeys.all)
  useHoldEvents((events) => applyHoldEvents(client, events))
}

/** The holds below the nodes, and those in force now by valve id. `pollMs`: poll period; without it there is no polling. */
export function useHolds(nodes: readonly NodeKey[], pollMs?: number) {
  const query = useQuery({ ...holdsQuery(nodes), refetchInterval: pollMs ?? false })
  const now = useNow(EXPIRE_EVERY_S)
  const holds = query.data ?? noHolds
  const holdOf = useMemo(() => toHoldOf(holds, now), [holds, now])
  return { query, holdOf }
}
