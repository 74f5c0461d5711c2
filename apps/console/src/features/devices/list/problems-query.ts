import type { AlarmKind } from '@isotherm/contract/alarms/alarm-kinds'
import type { Alarm } from '@isotherm/contract/alarms/alarms'
import type { Finding } from '@isotherm/contract/alarms/finding'
import { getAlarms } from '@isotherm/contract/endpoints/monitoring/alarms'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Open findings and alarms of a device. */
export interface Problems {
  readonly findings: readonly Finding[]
  readonly alarms: readonly Alarm[]
}

const MAX_PROBLEMS = 1_000

/** Alarms that the state or a finding of the device shows already. */
const shownOtherwise: ReadonlySet<AlarmKind> = new Set<AlarmKind>([
  'device-silent',
  'concentrator-silent',
  'meter-scale',
  'sensors-swapped',
  'flow-reversed',
  'valve-leaking',
])

/** Open findings and alarms of the devices of a page, by device. */
export const problemsQuery = (deviceIds: readonly number[]) =>
  queryOptions({
    queryKey: ['devices', 'problems', deviceIds],
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, Problems>> => {
      const limiter = { page: 1, size: MAX_PROBLEMS }
      const filter = [{ field: 'deviceId', cond: 'in' as const, vstd: deviceIds.join() }]
      const [findings, alarms] = await Promise.all([
        call(getFindings, { deviceIds: [...deviceIds], isOpen: true, limiter }, { signal, quiet: true }),
        call(getAlarms, { filter, suppressed: true, limiter }, { signal, quiet: true }),
      ])
      const shown = alarms.datalist.filter(({ kind }) => !shownOtherwise.has(kind))
      return new Map(
        deviceIds.map((id) => [
          id,
          {
            findings: findings.datalist.filter(({ deviceId }) => deviceId === id),
            alarms: shown.filter(({ deviceId }) => deviceId === id),
          },
        ]),
      )
    },
    enabled: deviceIds.length > 0,
  })
