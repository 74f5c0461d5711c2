import { findToken } from './tokens.ts'

/** Asks the user to log in again; true when a new session stands. The session feature provides it. */
export type Recovery = () => Promise<boolean>

let recovery: Recovery | undefined
let running: Promise<boolean> | undefined

export function provideRecovery(provided: Recovery): void {
  recovery = provided
}

/**
 * Called when the server says that `usedToken` has expired. However many calls meet it at once, the user is
 * asked once; and when another tab has logged in meanwhile, nobody is asked.
 */
export async function recoverSession(usedToken: string | undefined): Promise<boolean> {
  const present = [findToken(localStorage, 'usr-cloud'), findToken(localStorage, 'ht-api')]
  if (present[0] !== undefined && usedToken !== undefined && !present.includes(usedToken)) return true
  if (!recovery) return false
  running ??= recovery().finally(() => {
    running = undefined
  })
  return running
}
