import { loadConsoleSettings } from '../../../shared/installation/console-settings.ts'
import { sessionKeys } from '../../../shared/session/tokens.ts'

let given = false

/** Keeps the login-source id that came in an address; it holds until the page is left. */
export function keepGivenSource(id: string): void {
  given = true
  localStorage.setItem(sessionKeys.loginSource, id)
}

/** A login that brought no source comes from the installation itself. */
export async function keepDefaultSource(): Promise<void> {
  if (given) return
  const { loginSrcId } = await loadConsoleSettings()
  localStorage.setItem(sessionKeys.loginSource, String(loginSrcId))
}
