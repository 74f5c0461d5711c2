import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { Campaign } from '@isotherm/contract/balancing/campaign'
import type { NodeKey } from '@isotherm/contract/tree'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { campaignsQuery } from '../queries.ts'

const STEP = 20
const MAX_LISTED = 200

/** The listed campaigns. */
export interface CampaignList {
  /** Absent until the first answer. */
  readonly campaigns: readonly Campaign[] | undefined
  readonly total: number
  readonly error: Error | null
  readonly more: () => void
  readonly retry: () => void
}

/** The newest campaigns of one kind at, above or below nodes; more on demand. */
export function useCampaignList(nodes: readonly NodeKey[], kind: BalanceKind): CampaignList {
  const [size, setSize] = useState(STEP)
  const list = useQuery({
    ...campaignsQuery(nodes, kind, size),
    // Keep the shorter list of the same nodes until the longer one arrives.
    placeholderData: (previous, query) =>
      query?.queryKey[3] === nodes ? keepPreviousData(previous) : undefined,
  })
  return {
    campaigns: list.data?.datalist,
    total: Math.min(MAX_LISTED, list.data?.total ?? 0),
    error: list.error,
    more: () => setSize((known) => Math.min(MAX_LISTED, known + STEP)),
    retry: () => void list.refetch(),
  }
}
