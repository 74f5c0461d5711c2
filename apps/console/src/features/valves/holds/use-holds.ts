import type { ValveHold } from '@isotherm/contract/command'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNow } from '../../../shared/format/use-now.ts'
import { useAskOnReturn } from '../../../shared/live/use-ask-on-return.ts'
import { applyHoldNews, toHoldOf } from './hold-cache.ts'
import { holdKeys, holdsQuery } from './hold-queries.ts'
import { useHoldNews } from './use-hold-events.ts'

const noHolds: readonly ValveHold[] = []
/** Ends by the clock are judged this often, s. */
const JUDGE_EVERY_S = 5

/** Keeps the cached holds current while the page is open. */
export function useHoldUpdates(): void {
  const client = useQueryClient()
  useAskOnReturn(holdKeys.all)
  useHoldNews((news) => applyHoldNews(client, news))
}

/** The holds below some nodes, asked for anew at an interval if there is one, and by valve those that stand now. */
export function useHolds(nodes: readonly NodeKey[], askEveryMs?: number) {
  const query = useQuery({ ...holdsQuery(nodes), refetchInterval: askEveryMs ?? false })
  const now = useNow(JUDGE_EVERY_S)
  const holds = query.data ?? noHolds
  const holdOf = useMemo(() => toHoldOf(holds, now), [holds, now])
  return { query, holdOf }
}
