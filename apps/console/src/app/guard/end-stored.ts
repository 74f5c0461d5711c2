import { endLoggedOut } from '@isotherm/contract/endpoints/administration/session'
import { toFailureText } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { forgetEnded, listEnded } from '../../shared/session/ended-tokens.ts'

const AGAIN_EVERY_MS = 15_000

/**
 * Ends the sessions that this browser was logged out of while the server was away, also if the console was closed since then.
 * Tries again until the server answers.
 */
export async function endStored(): Promise<void> {
  const hashes = listEnded(localStorage, Date.now())
  if (hashes.length === 0) return
  try {
    await call(endLoggedOut, { tokenHashes: [...hashes] }, { quiet: true, onExpired: 'reject' })
    forgetEnded(localStorage, hashes, Date.now())
  } catch (error) {
    console.error('the server could not be notified of an earlier logout', toFailureText(error))
    setTimeout(() => void endStored(), AGAIN_EVERY_MS)
  }
}
