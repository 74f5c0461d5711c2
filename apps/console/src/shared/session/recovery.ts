import { findToken } from './tokens.ts'

/** Asks the user to log in again; true if there is a new session. The session feature provides it. */
export type Recovery = () => Promise<boolean>

let recovery: Recovery | undefined

export function provideRecovery(provided: Recovery): void {
  recovery = provided
}

/**
 * Called when the server reports that `usedToken` has expired. Returns true without asking if another tab has logged
 * in, and false if there is no session any more.
 */
export async function recoverSession(usedToken: string | undefined): Promise<boolean> {
  const present = [findToken(localStorage, 'usr-cloud'), findToken(localStorage, 'ht-api')]
  if (present.every((token) => token === undefined)) return false
  if (usedToken !== undefined && !present.includes(usedToken)) return true
  return recovery ? recovery() : false
}
