import type { Command } from '@isotherm/contract/command'
import type { Device } from '@isotherm/contract/devices'
import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import type { EarlierDevice } from '@isotherm/contract/endpoints/monitoring/history'
import type { MetricName } from '@isotherm/contract/metrics'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useConsoleSettings } from '../../../shared/installation/console-settings.ts'
import type { StatesById } from '../../../shared/live/states-by-id.ts'
import { useLiveCommands, useLiveStates } from '../../../shared/live/use-live.ts'
import { useRefetchOnReturn } from '../../../shared/live/use-refetch-on-return.ts'
import { useMayCall } from '../../../shared/session/may-call.ts'
import type { HistoryRange } from '../curves/history-range.ts'
import { toRefreshInMs } from '../curves/history-refresh.ts'
import { appendState, type Curve } from '../curves/history-series.ts'
import { commandMarksQuery, historyKey, historyQuery, yearBeforeQuery } from './history-queries.ts'

interface ShownHistory {
  readonly devices: readonly Device[]
  /** Devices that were replaced by these. */
  readonly earlier: readonly EarlierDevice[]
  readonly metrics: readonly MetricName[]
  readonly range: HistoryRange
  /** Whether the year before is shown too. */
  readonly isCompared: boolean
}

const noCommands: readonly Command[] = []

/** Curves and command marks of some devices. If the range ends now, live readings are appended. */
export function useHistory({ devices, earlier, metrics, range, isCompared }: ShownHistory) {
  const client = useQueryClient()
  const { timeZone } = useConsoleSettings()
  const ids = [...devices.map(({ id }) => id), ...earlier.map(({ deviceId }) => deviceId)]
  const refetchInterval = ({ state }: { readonly state: { readonly dataUpdatedAt: number } }) =>
    toRefreshInMs(range, state.dataUpdatedAt, Date.now())
  const options = historyQuery(ids, metrics, range)
  const history = useQuery({ ...options, refetchInterval })
  const before = useQuery({
    ...yearBeforeQuery(ids, metrics, range, timeZone),
    enabled: isCompared && ids.length > 0,
    refetchInterval,
  })
  const maySeeCommands = useMayCall(getCtlLog)
  const markOptions = commandMarksQuery(ids, range)
  const marks = useQuery({ ...markOptions, enabled: maySeeCommands && ids.length > 0, refetchInterval })
  useLiveCommands(({ deviceId }) => {
    if (ids.includes(deviceId))
      void client.invalidateQueries({ queryKey: markOptions.queryKey }, { cancelRefetch: false })
  })
  const kinds = [...new Set(devices.map(({ kind }) => kind))]
  const { states } = useLiveStates({ nodes: devices.map(({ node }) => node), kinds })
  useRefetchOnReturn(historyKey)

  // Appends live readings to the fetched curves in the cache.
  const append = useEffectEvent((newest: StatesById) => {
    const cached = client.getQueryState(options.queryKey)
    if (!cached?.data || range.kind === 'fixed') return
    let appended: readonly Curve[] = cached.data
    for (const state of newest.list()) appended = appendState(appended, state)
    if (appended === cached.data) return
    client.setQueryData(options.queryKey, [...appended], { updatedAt: cached.dataUpdatedAt })
  })
  const { dataUpdatedAt } = history
  useEffect(() => {
    if (dataUpdatedAt > 0) append(states)
  }, [states, dataUpdatedAt])

  return {
    history,
    /** Undefined while nothing is compared. */
    before: isCompared ? before : undefined,
    commands: marks.data?.datalist ?? noCommands,
    /** Number of commands in the range; only the newest are marked. */
    commandTotal: marks.data?.total ?? 0,
    states,
  }
}
