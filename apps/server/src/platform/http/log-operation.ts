import type { Effect } from '@isotherm/contract/endpoint'
import type { Log } from '../log.ts'
import type { Operation, OperationResult } from '../operation/operation.ts'
import { toAppError } from '../to-app-error.ts'

/** Puts an operation into the log that is not in it yet. */
export type NoteOperation = (operation: Operation, result: OperationResult) => Promise<void>

interface Noting {
  readonly operation: Operation
  readonly effect: Effect
  readonly noteOperation: NoteOperation
  readonly log: Log
}

/**
 * Does a call and sees to it that the operation log has it, however it ends, when it is one that changes
 * something. What cannot be read is no operation. A note that fails is logged; the call's answer stands.
 */
export async function noted<Output>(noting: Noting, work: () => Promise<Output>): Promise<Output> {
  const { operation, effect, noteOperation, log } = noting
  if (effect === 'reads') return work()
  const note = async (result: OperationResult): Promise<void> => {
    if (operation.isNoted || result === 'request.malformed') return
    try {
      await noteOperation(operation, result)
    } catch (err) {
      log.error(
        { err, endpoint: operation.endpoint, account: operation.account },
        'an operation is not noted',
      )
    }
  }
  try {
    const output = await work()
    await note('ok')
    return output
  } catch (error) {
    await note(toAppError(error, operation.requestId).code)
    throw error
  }
}
