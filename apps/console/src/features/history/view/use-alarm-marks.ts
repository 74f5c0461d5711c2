import type { AlarmLogEntry } from '@isotherm/contract/alarms/alarms'
import type { Device } from '@isotherm/contract/devices'
import { getAlarmLog } from '@isotherm/contract/endpoints/monitoring/alarms'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Span } from '../../../shared/chart/time-axis.ts'
import { toCompactAddress } from '../../../shared/format/address.ts'
import { useLiveNotifications } from '../../../shared/live/use-live.ts'
import { useMayCall } from '../../../shared/session/may-call.ts'
import { toAlarmMarks } from '../curves/alarm-marks.ts'
import type { HistoryRange } from '../curves/history-range.ts'
import { alarmMarksQuery } from './history-queries.ts'

const noEntries: readonly AlarmLogEntry[] = []

/** Beginnings and ends of alarms of the devices in the shown span; none if the user may not see alarms. */
export function useAlarmMarks(devices: readonly Device[], range: HistoryRange, span: Span) {
  const { t } = useTranslation(['history', 'alarms'])
  const client = useQueryClient()
  const maySee = useMayCall(getAlarmLog)
  const ids = devices.map(({ id }) => id)
  const options = alarmMarksQuery(ids, range)
  const log = useQuery({ ...options, enabled: maySee && ids.length > 0 })
  useLiveNotifications((notification) => {
    if (notification.type !== 'alarm') return
    // An event without an alarm means that many changed.
    const isShown = notification.alarm === undefined || ids.some((id) => id === notification.alarm?.deviceId)
    if (isShown) void client.invalidateQueries({ queryKey: options.queryKey }, { cancelRefetch: false })
  })
  const isSingle = devices.length === 1
  const toText = useCallback(
    ({ kind, event, nestaddr }: AlarmLogEntry) => {
      const text = t('history.alarm', {
        kind: t(`kind.${kind}`, { ns: 'alarms' }),
        event: t(`event.${event}`, { ns: 'alarms' }),
      })
      return isSingle ? text : `${toCompactAddress(nestaddr)} · ${text}`
    },
    [t, isSingle],
  )
  const entries = log.data?.datalist ?? noEntries
  return useMemo(() => toAlarmMarks(entries, span, toText), [entries, span, toText])
}
