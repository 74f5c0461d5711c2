import { toRoleName } from '@isotherm/contract/locales/access/role-names'
import { useLanguage } from '../i18n/i18n.ts'

/** Names of roles and role codes in the language of the user. */
export function useRoleName(): (role: { readonly name: string }) => string {
  const language = useLanguage()
  return ({ name }) => toRoleName(language, name)
}
