import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { alarmKeys } from '../../../shared/alarms/alarm-keys.ts'
import { ApiError, toFailureText } from '../../../shared/api/api-error.ts'
import { showNotice } from '../../../shared/ui/notices.ts'

interface DeedOptions<Output> {
  readonly onDone?: (output: Output) => void
  /** True where the form shows a refusal itself; failures of the network are told in any case. */
  readonly showsRefusal?: boolean
}

/** Something done to alarms or their rules: told when it was refused, and everything of alarms is read anew. */
export function useDeed<Input, Output>(
  act: (input: Input) => Promise<Output>,
  { onDone, showsRefusal = false }: DeedOptions<Output> = {},
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
