import type { AlarmLogEntry } from '@isotherm/contract/alarms/alarms'
import type { Finding } from '@isotherm/contract/alarms/finding'
import type { Command } from '@isotherm/contract/command'
import { type EntityChange, getEntityHistory } from '@isotherm/contract/endpoints/administration/operations'
import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { getAlarmLog } from '@isotherm/contract/endpoints/monitoring/alarms'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { type RangeKey, ranges } from './debug-url.ts'

/** Events of one kind that are listed at most. */
export const MAX_EVENTS = 200

/** What happened to a device. `at`: Unix ms. */
export type DeviceEvent =
  | { readonly kind: 'command'; readonly at: number; readonly command: Command }
  | { readonly kind: 'alarm'; readonly at: number; readonly entry: AlarmLogEntry }
  | { readonly kind: 'finding'; readonly at: number; readonly finding: Finding }
  | { readonly kind: 'change'; readonly at: number; readonly change: EntityChange }

export type EventKind = DeviceEvent['kind']

/** Commands, alarms, findings and changes of a device in a range that ends now, newest first. */
export const timelineQuery = (deviceId: number, range: RangeKey) =>
  queryOptions({
    queryKey: ['devices', 'timeline', deviceId, range],
    queryFn: async ({ signal }): Promise<readonly DeviceEvent[]> => {
      const to = readServerNow()
      const from = to - ranges[range]
      const limiter = { page: 1, size: MAX_EVENTS }
      const filter = [{ field: 'deviceId', cond: 'eq' as const, vstd: deviceId }]
      const [commands, alarms, findings, changes] = await Promise.all([
        call(getCtlLog, { deviceIds: [deviceId], from, to, limiter }, { signal }),
        call(getAlarmLog, { filter, from, to, limiter }, { signal }),
        call(getFindings, { deviceIds: [deviceId], from, limiter }, { signal }),
        call(getEntityHistory, { entity: 'device', entityId: String(deviceId), limiter }, { signal }),
      ])
      const events: readonly DeviceEvent[] = [
        ...commands.datalist.map((command) => ({ kind: 'command' as const, at: command.createdAt, command })),
        ...alarms.datalist.map((entry) => ({ kind: 'alarm' as const, at: entry.at, entry })),
        ...findings.datalist.map((finding) => ({ kind: 'finding' as const, at: finding.since, finding })),
        ...changes.datalist
          .filter(({ at }) => at >= from)
          .map((change) => ({ kind: 'change' as const, at: change.at, change })),
      ]
      return [...events].sort((left, right) => right.at - left.at)
    },
  })
