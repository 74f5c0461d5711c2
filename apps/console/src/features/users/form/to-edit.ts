import type { InputOf } from '@isotherm/contract/endpoint'
import { editUser } from '@isotherm/contract/endpoints/administration/users'

type Edit = InputOf<typeof editUser>

const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left ?? null) === JSON.stringify(right ?? null)

/**
 * The entered values without unchanged ones. An edit that names roles or a parent is a change of rights, which ends
 * sessions, and which nobody may make on their own account.
 */
export function toEdit(entered: Edit, initial: Readonly<Record<string, unknown>>): Edit {
  const { id, version, ...values } = entered
  const changed = Object.entries(values).filter(([name, value]) => !isSame(value, initial[name]))
  return editUser.input.parse({ id, version, ...Object.fromEntries(changed) })
}
