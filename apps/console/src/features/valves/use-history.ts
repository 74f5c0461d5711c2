import type { Command } from '@isotherm/contract/command'
import type { Device, DeviceState } from '@isotherm/contract/devices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useLiveStates } from '../../shared/live/use-live.ts'
import { type HistoryRange, rangePresets } from './history-range.ts'
import { appendState, type Curve } from './history-series.ts'
import { commandMarksQuery, historyQuery } from './queries.ts'
import type { HistoryMetric } from './url-state.ts'

/** A following range is asked for anew after this share of its span, so that it stays evenly thinned. */
const REFRESH_SHARE = 1 / 20
const LEAST_REFRESH_MS = 60_000

const noCommands: readonly Command[] = []

/** Curves and command marks of some valves; while the range ends now, new readings join at the end. */
export function useHistory(
  devices: readonly Device[],
  metrics: readonly HistoryMetric[],
  range: HistoryRange,
) {
  const client = useQueryClient()
  const ids = devices.map(({ id }) => id)
  const following = range.kind === 'last'
  const refreshMs =
    following && Math.max(LEAST_REFRESH_MS, rangePresets[range.preset] * 1_000 * REFRESH_SHARE)
  const options = historyQuery(ids, metrics, range)
  const history = useQuery({ ...options, refetchInterval: refreshMs })
  const marks = useQuery({ ...commandMarksQuery(ids, range), refetchInterval: refreshMs })
  const { states } = useLiveStates({ nodes: devices.map(({ node }) => node), kinds: ['valve'] })

  // The live stream is the outside world here; the cache is where its readings join what was fetched.
  const join = useEffectEvent((newest: ReadonlyMap<number, DeviceState>) => {
    const held = client.getQueryData(options.queryKey)
    if (!held || !following) return
    let joined: readonly Curve[] = held
    for (const state of newest.values()) joined = appendState(joined, state)
    if (joined !== held) client.setQueryData(options.queryKey, [...joined])
  })
  const { dataUpdatedAt } = history
  useEffect(() => {
    if (dataUpdatedAt > 0) join(states)
  }, [states, dataUpdatedAt])

  return { history, commands: marks.data?.datalist ?? noCommands, states }
}
