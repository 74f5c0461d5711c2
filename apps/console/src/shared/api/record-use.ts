import type { InputOf } from '@isotherm/contract/endpoint'
import { addUserOp } from '@isotherm/contract/endpoints/administration/operations'
import { call } from './client.ts'

type Use = Pick<InputOf<typeof addUserOp>, 'kind' | 'path' | 'title'>

/**
 * Records a page visit or an export of the user in the operation log. A failure is not shown: the user did not ask for the
 * record, and the calls of the page itself report why the server cannot be reached.
 */
export function recordUse(use: Use): void {
  call(addUserOp, { ...use, visitedAt: Date.now() }, { quiet: true, onExpired: 'reject' }).catch(
    (error: unknown) => console.warn('a page visit or export was not recorded', error),
  )
}
