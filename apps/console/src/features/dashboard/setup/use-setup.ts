import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSession } from '../../../shared/session/session-store.ts'
import { checks, listSteps, optionalSteps, type SetupStep } from './setup-steps.ts'

/** Refetch interval while a step is open, ms: the first reading of a new device must show up by itself. */
const REFETCH_MS = 5_000

export const setupKey = ['dashboard', 'setup'] as const

export interface CheckedStep {
  readonly step: SetupStep
  readonly isDone: boolean
}

/**
 * The steps of the setup that the user may do, and whether they are done; empty if the installation is live for this
 * user, or until that is known. A step that could not be checked counts as done.
 */
export function useSetup(): readonly CheckedStep[] {
  const permitted = useSession((session) => session.permitted)
  const steps = useMemo(() => listSteps(permitted), [permitted])
  return useQueries({
    queries: steps.map((step) => ({
      queryKey: [...setupKey, step],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => checks[step](signal),
      refetchInterval: ({ state }: { readonly state: { readonly data?: boolean | undefined } }) =>
        state.data === false ? REFETCH_MS : false,
    })),
    combine(answers) {
      if (answers.some(({ isPending }) => isPending)) return none
      const checked = steps.map((step, index) => ({ step, isDone: answers[index]?.data ?? true }))
      return checked.some(({ step, isDone }) => !isDone && !optionalSteps.has(step)) ? checked : none
    },
  })
}

const none: readonly CheckedStep[] = []
