import type { UserAbility } from '@isotherm/contract/endpoints/users'
import type { Caller } from '../../platform/http/call.ts'
import { type AccountKind, listKinds } from './queries/managed.pg.ts'

/** What decides on an account. */
export interface Judged {
  readonly id: number
  readonly kind: AccountKind
  /** It may do nothing the caller may not (managed.pg.ts). */
  readonly isManaged: boolean
}

const everything: readonly UserAbility[] = [
  'edit',
  'enable',
  'remove',
  'reset-password',
  'give-roles',
  'grant',
  'end-sessions',
]

/** What the caller may do with an account. Nobody takes anything from themselves, nor adds to it. */
export function toUserAbilities(caller: Caller, { id, kind, isManaged }: Judged): UserAbility[] {
  if (id === caller.accountId) return ['edit', 'end-sessions']
  return isManaged && listKinds(caller).includes(kind) ? [...everything] : []
}
