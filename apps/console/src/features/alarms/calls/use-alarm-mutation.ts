import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { alarmKeys } from '../../../shared/alarms/alarm-keys.ts'
import { ApiError, toFailureText } from '../../../shared/api/api-error.ts'
import { showNotice } from '../../../shared/notices/notices.ts'

interface MutationOptions<Output> {
  readonly onDone?: (output: Output) => void
  /** True if the form shows a refusal itself. Connection failures are always reported. */
  readonly showsRefusal?: boolean
}

/** A mutation of alarms or rules. It reports refusals and refetches all alarm data afterwards. */
export function useAlarmMutation<Input, Output>(
  act: (input: Input) => Promise<Output>,
  { onDone, showsRefusal = false }: MutationOptions<Output> = {},
): UseMutationResult<Output, Error, Input> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: (output) => onDone?.(output),
    onError(error) {
      if (!showsRefusal && error instanceof ApiError && error.isRefusal)
        showNotice('error', toFailureText(error))
    },
    onSettled: () => client.invalidateQueries({ queryKey: alarmKeys.all }),
  })
}
