import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { commandKeys } from '../commands/command-keys.ts'

/** Ended findings are shown for this time, ms. */
const LOOK_BACK_MS = 30 * DAY_MS
const FINDINGS_FRESH_MS = MINUTE_MS
const MAX_FINDINGS = 20
const MAX_COMMANDS = 5

/** Findings of a device in the last 30 days, newest first. */
export const findingsQuery = (deviceId: number) =>
  queryOptions({
    queryKey: ['valves', 'findings', deviceId],
    queryFn: ({ signal }) => {
      const input = { deviceIds: [deviceId], from: readServerNow() - LOOK_BACK_MS }
      return call(getFindings, { ...input, limiter: { page: 1, size: MAX_FINDINGS } }, { signal })
    },
    staleTime: FINDINGS_FRESH_MS,
  })

/** The last commands to a valve. */
export const valveCommandsQuery = (deviceId: number) =>
  queryOptions({
    queryKey: [...commandKeys.logs, 'valve', deviceId],
    queryFn: ({ signal }) =>
      call(getCtlLog, { deviceIds: [deviceId], limiter: { page: 1, size: MAX_COMMANDS } }, { signal }),
  })
