import type { CommandPriority } from '@isotherm/contract/command'
import { previewMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'

/** An order to preview: one opening for all valves. */
export interface PreviewRequest {
  readonly deviceIds: readonly number[]
  readonly openingPct: number
  readonly priority: CommandPriority
  /** Whether the opening would be held. The end of the hold does not change the preview. */
  readonly holds: boolean
}

const SOME_HOLD_MS = HOUR_MS

export const previewKey = ['valves', 'preview'] as const

/** The refusals and ended holds of an order, as of now. It is never served from the cache. */
export const previewQuery = (order: PreviewRequest) =>
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
