import { loadConsoleSettings } from '../../../shared/installation/console-settings.ts'
import { sessionKeys } from '../../../shared/session/tokens.ts'

let given = false

/** Stores the login-source id of an address. */
export function storeGivenSource(id: string): void {
  given = true
  localStorage.setItem(sessionKeys.loginSource, id)
}

/** Stores the login-source id of the installation, if the address had none. */
export async function storeDefaultSource(): Promise<void> {
  if (given) return
  const { loginSrcId } = await loadConsoleSettings()
  localStorage.setItem(sessionKeys.loginSource, String(loginSrcId))
}
