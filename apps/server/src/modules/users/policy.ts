import type { UserAbility } from '@isotherm/contract/endpoints/administration/users'
import type { Caller } from '../../platform/http/call.ts'
import { type AccountKind, listKinds } from './queries/managed.pg.ts'

/** The facts about an account that decide its abilities. */
export interface AccountFacts {
  readonly id: number
  readonly kind: AccountKind
  /** Whether the caller manages the account, see managed.pg.ts. */
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

/** The caller's abilities on an account. On their own account callers cannot change rights. */
export function toUserAbilities(caller: Caller, { id, kind, isManaged }: AccountFacts): UserAbility[] {
  if (id === caller.accountId) return ['edit', 'end-sessions']
  return isManaged && listKinds(caller).includes(kind) ? [...everything] : []
}
