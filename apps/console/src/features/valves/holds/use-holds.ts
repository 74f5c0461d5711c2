import type { ValveHold } from '@isotherm/contract/command'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../shared/format/use-now.ts'
import { useLiveNews } from '../../../shared/live/use-live.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { showNotice } from '../../../shared/ui/notices.ts'
import { useAskOnReturn } from '../use-ask-on-return.ts'
import { applyHoldNews, findLost, type HoldNews, toHoldOf } from './hold-cache.ts'
import { holdKeys, holdsQuery } from './hold-queries.ts'

const noHolds: readonly ValveHold[] = []
/** News are taken together: a batch begins thousands of holds, ms. */
const GATHER_MS = 500
/** Ends by the clock are judged this often, s. */
const JUDGE_EVERY_S = 5

/** Keeps the cached holds current while the page is open, and tells who held when somebody else ended it. */
export function useHoldUpdates(): void {
  const { t } = useTranslation('valves')
  const client = useQueryClient()
  const account = useSession(({ user }) => user?.account)
  const gathered = useRef<HoldNews[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useAskOnReturn(holdKeys.all)
  useLiveNews((news) => {
    if (news.type !== 'hold') return
    gathered.current.push(news)
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      const together = gathered.current
      gathered.current = []
      applyHoldNews(client, together)
      const lost = findLost(together, account)
      const [first] = lost
      if (!first) return
      const params = { count: lost.length, valve: first.hold.deviceName, by: first.by ?? '' }
      showNotice(
        'warning',
        first.ended === 'released' ? t('hold.lostReleased', params) : t('hold.lost', params),
      )
    }, GATHER_MS)
  })
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
}

/** The holds below some nodes, asked for anew at an interval if there is one, and by valve those that stand now. */
export function useHolds(nodes: readonly NodeKey[], askEveryMs?: number) {
  const query = useQuery({ ...holdsQuery(nodes), refetchInterval: askEveryMs ?? false })
  const now = useNow(JUDGE_EVERY_S)
  const holds = query.data ?? noHolds
  const holdOf = useMemo(() => toHoldOf(holds, now), [holds, now])
  return { query, holdOf }
}
