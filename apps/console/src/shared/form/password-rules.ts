import { defaultPasswordRules, type PasswordRules } from '@isotherm/contract/access/password-rules'
import { getPasswordRules } from '@isotherm/contract/endpoints/administration/password-policy'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../api/client.ts'

/**
 * Rules for a new password. `companyId`: the company that they belong to; null: the installation; absent: the caller's company.
 * Until they are loaded, the rules of a new installation. The server checks in any case.
 */
export function usePasswordRules(companyId?: number | null): PasswordRules {
  const { data } = useQuery({
    queryKey: ['password-rules', companyId],
    queryFn: ({ signal }) =>
      call(getPasswordRules, companyId === undefined ? {} : { companyId }, { signal, quiet: true }),
  })
  return data ?? defaultPasswordRules
}

/** `history` is absent where the server does not compare: a password for another user. */
type StatedRules = Pick<PasswordRules, 'minLength' | 'minKinds'> & Partial<Pick<PasswordRules, 'history'>>

/** The rules in words, for a form. */
export function useRulesText(): (rules: StatedRules) => string {
  const { t } = useTranslation('common')
  return ({ minLength, minKinds, history = 0 }) =>
    [
      t('password.length', { count: minLength }),
      ...(minKinds > 1 ? [t('password.kinds', { count: minKinds })] : []),
      t('password.guess'),
      ...(history === 1 ? [t('password.present')] : []),
      ...(history > 1 ? [t('password.history', { count: history })] : []),
    ].join(t('password.comma'))
}
