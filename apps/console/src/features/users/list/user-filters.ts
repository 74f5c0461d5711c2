import type { User } from '@isotherm/contract/endpoints/administration/users'
import { useTranslation } from 'react-i18next'
import { useRoleName } from '../../../shared/access/use-role-name.ts'
import type { RecordFilter } from '../../../shared/records/record-filter.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import type { Assignable } from '../user-queries.ts'

/** Filters of a list of users: state, role, company and parent account. */
export function useUserFilters(users: readonly User[], { companies }: Assignable): readonly RecordFilter[] {
  const { t } = useTranslation('users')
  const callerId = useSession(({ user }) => user?.id)
  const toRoleName = useRoleName()
  const roles = new Map(
    users.flatMap(({ roles: own }) => own.map((role) => [role.id, toRoleName(role)] as const)),
  )
  const parents = new Set(users.map(({ parentId }) => parentId))
  return [
    {
      name: 'state',
      label: t('state.label'),
      options: [
        { value: '1', label: t('state.enabled') },
        { value: '0', label: t('state.disabled') },
      ],
    },
    {
      name: 'role',
      label: t('roles'),
      options: [...roles].map(([value, label]) => ({ value, label })),
    },
    ...(companies.length > 1
      ? [
          {
            name: 'company',
            label: t('company'),
            options: companies.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]
      : []),
    {
      name: 'parent',
      label: t('parent'),
      options: users
        .filter(({ id }) => parents.has(id) || id === callerId)
        .map(({ id, account }) => ({ value: id, label: account })),
    },
  ]
}

/** Whether a user passes a filter with this value. */
export function passesUserFilter(user: User, filter: string, value: string): boolean {
  switch (filter) {
    case 'state':
      return user.enabled === (value === '1')
    case 'role':
      return user.roles.some(({ id }) => String(id) === value)
    case 'company':
      return String(user.companyId) === value
    default:
      return String(user.parentId) === value
  }
}
