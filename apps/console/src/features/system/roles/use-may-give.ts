import type { ManagedModule } from '@isotherm/contract/endpoints/administration/modules'
import { useSession } from '../../../shared/session/session-store.ts'

/**
 * Whether the user may give a module to a role: only one that they have. Disabled modules are not among the permitted ones
 * in the console; the server decides about them.
 */
export function useMayGive(modules: readonly ManagedModule[]): (id: number) => boolean {
  const permitted = useSession((session) => session.permitted)
  const own = new Set(
    modules.filter(({ url, enabled }) => !enabled || permitted.has(url)).map(({ id }) => id),
  )
  return (id) => own.has(id)
}
