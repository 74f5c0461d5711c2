import type { Permission } from '@isotherm/contract/access/permissions'
import type { ModuleItem, UserInfo } from '@isotherm/contract/endpoints/administration/session'
import { create } from 'zustand'

export interface SessionState {
  readonly user: UserInfo | undefined
  /** Permitted modules; absent until the guard has loaded them. */
  readonly modules: readonly ModuleItem[] | undefined
  /** Names of the permissions that the modules grant. */
  readonly permitted: ReadonlySet<string>
  /** Role code of the user, and company account, which the server sends with the modules. The console shows neither. */
  readonly rcode: number | undefined
  readonly paccount: string | undefined
}

const signedOut: SessionState = {
  user: undefined,
  modules: undefined,
  permitted: new Set(),
  rcode: undefined,
  paccount: undefined,
}

/** What the console knows of the signed-in user; empty before the login. */
export const useSession = create<SessionState>(() => signedOut)

/** Answer of the server after the login: the user, and the modules in `data`. */
export interface Access {
  readonly user: UserInfo
  readonly data: readonly ModuleItem[]
  readonly rcode: number
  readonly paccount: string
}

export function storeAccess({ user, ...access }: Access): void {
  const enabled = access.data.filter((module) => module.enabled)
  useSession.setState({
    user,
    modules: enabled,
    permitted: new Set(enabled.map((module) => module.url)),
    rcode: access.rcode,
    paccount: access.paccount,
  })
}

export const clearAccess = (): void => useSession.setState(signedOut)

/** Whether the user has a permission; true if no permission is needed. */
export const useIsPermitted = (permission: Permission | undefined): boolean =>
  useSession((session) => permission === undefined || session.permitted.has(permission))
