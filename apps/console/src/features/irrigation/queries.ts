import type { InputOf } from '@isotherm/contract/endpoint'
import {
  changeIrrigationRun,
  deleteIrrigationGroup,
  deleteIrrigationProgram,
  getIrrigation,
  getIrrigationRuns,
  getIrrigationWater,
  pauseIrrigation,
  previewIrrigation,
  releaseIrrigation,
  runIrrigationProgram,
  setIrrigationGroup,
  setIrrigationProgram,
  setIrrigationSource,
  startIrrigationRun,
  stopIrrigation,
} from '@isotherm/contract/endpoints/control/irrigation'
import type { IrrigationRun, IrrigationSource } from '@isotherm/contract/irrigation'
import type { NodeKey } from '@isotherm/contract/tree'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toFailureText } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { toDayNumber, toDayStart } from '../../shared/format/zone-days.ts'
import { showNotice } from '../../shared/notices/notices.ts'

/** A run changes every few seconds; flows are those of the newest reports. */
const REFETCH_MS = 2_000
const HISTORY_MS = 30_000
/** The water of a year is a large answer that changes little. */
const WATER_MS = 10 * MINUTE_MS
/** Runs on a page of the history, and at once in an export. */
export const HISTORY_ROWS = 50
const EXPORT_ROWS = 1_000
/** Days that the history can show. */
export const spans = [7, 30, 90, 365] as const

const ROOT = ['irrigation'] as const

export const irrigationQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...ROOT, 'sources', nodes],
    queryFn: ({ signal }) => call(getIrrigation, { nodes: [...nodes] }, { signal }),
    refetchInterval: REFETCH_MS,
  })

type History = Pick<IrrigationSource, 'id' | 'timeZone'>

/** The last days of a place, the first and the last one of them as whole local days: their numbers, and when the first begins. */
export function toSpan(days: number, timeZone: string) {
  const last = toDayNumber(Date.now(), timeZone)
  const first = last - days + 1
  return { first, last, from: toDayStart(first, timeZone) }
}

export const runsQuery = ({ id, timeZone }: History, days: number, page: number) =>
  queryOptions({
    queryKey: [...ROOT, 'runs', id, timeZone, days, page],
    queryFn: ({ signal }) => {
      const { from } = toSpan(days, timeZone)
      return call(
        getIrrigationRuns,
        { sourceId: id, from, limiter: { page, size: HISTORY_ROWS } },
        { signal },
      )
    },
    refetchInterval: HISTORY_MS,
  })

/** Water by field and local day of the last days: the server gives whole days of each company. */
export const waterQuery = (nodes: readonly NodeKey[], days: number) =>
  queryOptions({
    queryKey: [...ROOT, 'water', nodes, days],
    queryFn: ({ signal }) => {
      const to = Date.now()
      return call(getIrrigationWater, { nodes: [...nodes], from: to - (days - 1) * DAY_MS, to }, { signal })
    },
    refetchInterval: WATER_MS,
  })

/** All runs of the last days, newest first. Those that begin meanwhile are left out, so that none comes twice. */
export async function listAllRuns(
  { id, timeZone }: History,
  days: number,
): Promise<readonly IrrigationRun[]> {
  const span = { from: toSpan(days, timeZone).from, to: Date.now() }
  const runs: IrrigationRun[] = []
  for (let page = 1; ; page++) {
    const limiter = { page, size: EXPORT_ROWS }
    const { datalist, total } = await call(getIrrigationRuns, { sourceId: id, ...span, limiter })
    runs.push(...datalist)
    if (datalist.length === 0 || runs.length >= total) return runs
  }
}

export const previewQuery = (input: InputOf<typeof previewIrrigation>) =>
  queryOptions({
    queryKey: [...ROOT, 'preview', input],
    queryFn: ({ signal }) => call(previewIrrigation, input, { signal }),
  })

/** Calls that change irrigation, for useIrrigationChange. */
export const irrigationCalls = {
  setSource: (input: InputOf<typeof setIrrigationSource>) => call(setIrrigationSource, input),
  setGroup: (input: InputOf<typeof setIrrigationGroup>) => call(setIrrigationGroup, input),
  setProgram: (input: InputOf<typeof setIrrigationProgram>) => call(setIrrigationProgram, input),
  removeGroup: (input: InputOf<typeof deleteIrrigationGroup>) => call(deleteIrrigationGroup, input),
  removeProgram: (input: InputOf<typeof deleteIrrigationProgram>) => call(deleteIrrigationProgram, input),
  start: (input: InputOf<typeof startIrrigationRun>) => call(startIrrigationRun, input),
  startProgram: (input: InputOf<typeof runIrrigationProgram>) => call(runIrrigationProgram, input),
  changeRun: (input: InputOf<typeof changeIrrigationRun>) => call(changeIrrigationRun, input),
  stop: (input: InputOf<typeof stopIrrigation>) => call(stopIrrigation, input),
  release: (input: InputOf<typeof releaseIrrigation>) => call(releaseIrrigation, input),
  delay: (input: InputOf<typeof pauseIrrigation>) => call(pauseIrrigation, input),
} as const

/** A change of irrigation. What is shown is loaded anew afterwards, also after a refusal, which is shown as a notice. */
export function useIrrigationChange<Input, Output>(
  send: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (output) => onDone?.(output),
    onError: (error) => showNotice('error', toFailureText(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ROOT }),
  })
}
