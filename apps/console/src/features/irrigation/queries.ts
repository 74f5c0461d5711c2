import type { InputOf } from '@isotherm/contract/endpoint'
import {
  changeIrrigationRun,
  deleteIrrigationGroup,
  deleteIrrigationProgram,
  getIrrigation,
  getIrrigationRuns,
  pauseIrrigation,
  previewIrrigation,
  releaseIrrigation,
  setIrrigationGroup,
  setIrrigationProgram,
  setIrrigationSource,
  startIrrigationRun,
  stopIrrigation,
} from '@isotherm/contract/endpoints/control/irrigation'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toFailureText } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { showNotice } from '../../shared/notices/notices.ts'

/** A run changes every few seconds; flows are those of the newest reports. */
const REFETCH_MS = 2_000
const HISTORY_MS = 30_000
const HISTORY_ROWS = 200

const ROOT = ['irrigation'] as const

export const irrigationQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...ROOT, 'sources', nodes],
    queryFn: ({ signal }) => call(getIrrigation, { nodes: [...nodes] }, { signal }),
    refetchInterval: REFETCH_MS,
  })

export const runsQuery = (sourceId: number) =>
  queryOptions({
    queryKey: [...ROOT, 'runs', sourceId],
    queryFn: ({ signal }) =>
      call(getIrrigationRuns, { sourceId, limiter: { page: 1, size: HISTORY_ROWS } }, { signal }),
    refetchInterval: HISTORY_MS,
  })

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
  changeRun: (input: InputOf<typeof changeIrrigationRun>) => call(changeIrrigationRun, input),
  stop: (input: InputOf<typeof stopIrrigation>) => call(stopIrrigation, input),
  release: (input: InputOf<typeof releaseIrrigation>) => call(releaseIrrigation, input),
  delay: (input: InputOf<typeof pauseIrrigation>) => call(pauseIrrigation, input),
} as const

/** A change of irrigation. What is shown is loaded anew afterwards, also after a refusal, which is shown as a notice. */
export function useIrrigationChange<Input>(send: (input: Input) => Promise<unknown>, onDone?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () => onDone?.(),
    onError: (error) => showNotice('error', toFailureText(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ROOT }),
  })
}
