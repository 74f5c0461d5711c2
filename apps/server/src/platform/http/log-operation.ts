import type { Endpoint } from '@isotherm/contract/endpoint'
import type { Log } from '../log.ts'
import type { Operation, OperationResult } from '../operation/operation.ts'
import { toAppError } from '../to-app-error.ts'

/** Records an operation in the log. */
export type RecordOperation = (operation: Operation, result: OperationResult) => Promise<void>

/** Whether calls of an endpoint are in the operation log: changes, and exports, because data leave the product. */
export const isLogged = ({ effect, file, isPageContent }: LoggedKind): boolean =>
  effect === 'changes' || (file === 'download' && !isPageContent)

type LoggedKind = Pick<Endpoint, 'effect' | 'file' | 'isPageContent'>

/** Results that are not recorded, because anybody could fill the disk with such calls. */
const unrecorded: ReadonlySet<OperationResult> = new Set(['request.malformed', 'session.slowed'])

interface LoggedCall {
  readonly operation: Operation
  readonly endpoint: LoggedKind
  readonly recordOperation: RecordOperation
  readonly log: Log
}

/**
 * Runs a call. If its endpoint is logged, records the call in the operation log, also if it fails. Exceptions: a malformed call
 * and a sign-in that is refused because of the wait after failed ones. A failure to record is logged and does not change
 * the answer of the call.
 */
export async function withOperationLog<Output>(
  logged: LoggedCall,
  work: () => Promise<Output>,
): Promise<Output> {
  const { operation, endpoint, recordOperation, log } = logged
  if (!isLogged(endpoint)) return work()
  const record = async (result: OperationResult): Promise<void> => {
    if (operation.isRecorded || unrecorded.has(result)) return
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
