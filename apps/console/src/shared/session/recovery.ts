import { findToken } from './tokens.ts'

/** Asks the user to log in again; true when a new session stands. The session feature provides it. */
export type Recovery = () => Promise<boolean>

let recovery: Recovery | undefined

export function provideRecovery(provided: Recovery): void {
  recovery = provided
}

/**
 * Called when the server says that `usedToken` has expired. When another tab has logged in meanwhile nobody
 * is asked, and when nobody is signed in any more there is nothing to recover.
 */
export async function recoverSession(usedToken: string | undefined): Promise<boolean> {
  const present = [findToken(localStorage, 'usr-cloud'), findToken(localStorage, 'ht-api')]
  if (present.every((token) => token === undefined)) return false
  if (usedToken !== undefined && !present.includes(usedToken)) return true
  return recovery ? recovery() : false
}
