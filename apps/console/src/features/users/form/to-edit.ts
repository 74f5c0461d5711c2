import type { InputOf } from '@isotherm/contract/endpoint'
import { editUser } from '@isotherm/contract/endpoints/administration/users'

type Edit = InputOf<typeof editUser>

const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left ?? null) === JSON.stringify(right ?? null)

/**
 * The id, the version and the values that differ from `initial`. Unchanged values must be left out: the server takes an edit
 * that names roles or a parent as a change of rights, ends the user's sessions, and refuses it for the caller's own account.
 */
export function toEdit(entered: Edit, initial: Readonly<Record<string, unknown>>): Edit {
  const { id, version, ...values } = entered
  const changed = Object.entries(values).filter(([name, value]) => !isSame(value, initial[name]))
  return editUser.input.parse({ id, version, ...Object.fromEntries(changed) })
}
