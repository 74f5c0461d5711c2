import type { CommandPriority } from '@isotherm/contract/command'
import { previewMqCtlCmd } from '@isotherm/contract/endpoints/commands'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'

/** What is asked of valves: one opening of all of them. */
export interface AskedOrder {
  readonly deviceIds: readonly number[]
  readonly openingPct: number
  readonly priority: CommandPriority
  /** Whether it is to be held; until when is no matter to what it meets. */
  readonly holds: boolean
}

const SOME_HOLD_MS = HOUR_MS

export const previewKey = ['valves', 'preview'] as const

/** A preview says what is so now: it is never taken from an earlier look. */
export const previewQuery = (order: AskedOrder) =>
  queryOptions({
    queryKey: [...previewKey, order],
    queryFn: ({ signal }) => {
      const { deviceIds, openingPct, priority, holds } = order
      const targets = deviceIds.map((deviceId) => ({ deviceId, openingPct }))
      const hold = holds ? { holdUntil: readServerNow() + SOME_HOLD_MS } : {}
      return call(previewMqCtlCmd, { targets, priority, ...hold }, { signal })
    },
    staleTime: 0,
    gcTime: 0,
  })
