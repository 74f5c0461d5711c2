import {
  type ExerciseOutcome,
  type ExerciseValve,
  getExerciseValves,
  getValveExercises,
  previewValveExercise,
  type ValveExercise,
} from '@isotherm/contract/endpoints/control/valve-exercises'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'

export const EXERCISE_PAGE_SIZE = 20
export const VALVES_PAGE_SIZE = 50
export const exercisesKey = ['valve-exercises'] as const

/** Poll period of a list with a running exercise, and of any other list, ms. */
const RUNNING_POLL_MS = 5_000
const POLL_MS = 60_000

export const isRunning = ({ state }: ValveExercise): boolean => state === 'running' || state === 'cancelling'

/** Exercises with a valve below the nodes, newest first. */
export const exerciseListQuery = (nodes: readonly NodeKey[], page: number) =>
  queryOptions({
    queryKey: [...exercisesKey, 'list', nodes, page],
    queryFn: ({ signal }) => {
      const limiter = { page, size: EXERCISE_PAGE_SIZE }
      return call(getValveExercises, { nodes: [...nodes], limiter }, { signal })
    },
    refetchInterval: ({ state }) => (state.data?.datalist.some(isRunning) ? RUNNING_POLL_MS : POLL_MS),
  })

export const exercisePreviewQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...exercisesKey, 'preview', nodes],
    queryFn: ({ signal }) => call(previewValveExercise, { nodes: [...nodes] }, { signal }),
    staleTime: 0,
  })

/** A valve of the report as a row of a list. */
export type ReportRow = ExerciseValve & { readonly id: number }

const toRow = (valve: ExerciseValve): ReportRow => ({ ...valve, id: valve.deviceId })

/** A page of the report of an exercise. */
export const reportQuery = (
  { id, ...exercise }: ValveExercise,
  outcome: ExerciseOutcome | undefined,
  page: number,
) =>
  queryOptions({
    queryKey: [...exercisesKey, 'report', id, outcome, page],
    queryFn: async ({ signal }) => {
      const limiter = { page, size: VALVES_PAGE_SIZE }
      const { datalist, total } = await call(
        getExerciseValves,
        { id, ...(outcome && { outcome }), limiter },
        { signal },
      )
      return { datalist: datalist.map(toRow), total }
    },
    refetchInterval: isRunning({ id, ...exercise }) ? RUNNING_POLL_MS : false,
  })

/** The whole report, for a file. */
export const loadReport = (id: number): Promise<readonly ReportRow[]> =>
  listAll(
    async (limiter) => {
      const { datalist, total } = await call(getExerciseValves, { id, limiter })
      return { datalist: datalist.map(toRow), total }
    },
    ({ deviceId }) => deviceId,
  )
