import type { Effect } from '@isotherm/contract/endpoint'
import type { Log } from '../log.ts'
import type { Operation, OperationResult } from '../operation/operation.ts'
import { toAppError } from '../to-app-error.ts'

/** Records an operation in the log. */
export type RecordOperation = (operation: Operation, result: OperationResult) => Promise<void>

interface LoggedCall {
  readonly operation: Operation
  readonly effect: Effect
  readonly recordOperation: RecordOperation
  readonly log: Log
}

/**
 * Runs a call and records it in the operation log, whatever its result, if it changes something. A malformed call is not
 * an operation. A failure to record is logged and does not change the answer of the call.
 */
export async function withOperationLog<Output>(
  logged: LoggedCall,
  work: () => Promise<Output>,
): Promise<Output> {
  const { operation, effect, recordOperation, log } = logged
  if (effect === 'reads') return work()
  const record = async (result: OperationResult): Promise<void> => {
    if (operation.isRecorded || result === 'request.malformed') return
    try {
      await recordOperation(operation, result)
    } catch (err) {
      log.error(
        { err, endpoint: operation.endpoint, account: operation.account },
        'could not record an operation in the log',
      )
    }
  }
  try {
    const output = await work()
    await record('ok')
    return output
  } catch (error) {
    await record(toAppError(error, operation.requestId).code)
    throw error
  }
}
