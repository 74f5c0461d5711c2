import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { readServerNow } from '../live/server-now.ts'

/** Ended findings are shown for this time, ms. */
const LOOK_BACK_MS = 30 * DAY_MS
const FINDINGS_FRESH_MS = MINUTE_MS
const MAX_FINDINGS = 20

/** Findings of a device in the last 30 days, newest first. */
export const findingsQuery = (deviceId: number) =>
  queryOptions({
    queryKey: ['devices', 'findings', deviceId],
    queryFn: ({ signal }) => {
      const input = { deviceIds: [deviceId], from: readServerNow() - LOOK_BACK_MS }
      return call(getFindings, { ...input, limiter: { page: 1, size: MAX_FINDINGS } }, { signal })
    },
    staleTime: FINDINGS_FRESH_MS,
  })
