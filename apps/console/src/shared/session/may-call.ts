import type { Endpoint } from '@isotherm/contract/endpoint'
import { useSession } from './session-store.ts'

/** Whether somebody with these permissions may make a call that requires one of some. */
export const mayCall = ({ access }: Pick<Endpoint, 'access'>, permitted: ReadonlySet<string>): boolean =>
  access.kind === 'permission' && access.anyOf.some((permission) => permitted.has(permission))

/** Whether the user may make a call that requires one of some permissions. */
export const useMayCall = (endpoint: Pick<Endpoint, 'access'>): boolean =>
  useSession(({ permitted }) => mayCall(endpoint, permitted))
