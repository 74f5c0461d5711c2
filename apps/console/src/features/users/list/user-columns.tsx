import type { User } from '@isotherm/contract/endpoints/administration/users'
import { useTranslation } from 'react-i18next'
import { useRoleName } from '../../../shared/access/use-role-name.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import { StateBadge } from '../../../shared/ui/state-badge.tsx'
import type { Assignable } from '../user-queries.ts'
import type { UserType } from '../user-views.ts'

/** Columns of the list of users. `byId`: users that may be parents. */
export function useUserColumns(
  type: UserType,
  { companies, organisations }: Assignable,
  byId: ReadonlyMap<number, User>,
): readonly RecordColumn<User>[] {
  const { t } = useTranslation('users')
  const format = useFormat()
  const toRoleName = useRoleName()
  const toState = ({ enabled }: User) => t(enabled ? 'state.enabled' : 'state.disabled')
  const toRoles = ({ roles }: User) => roles.map(toRoleName).join('、')
  const text = (
    key: string,
    title: string,
    widthPx: number,
    read: (user: User) => string,
    isExtra = false,
  ) => ({
    key,
    title,
    widthPx,
    value: read,
    render: read,
    isExtra,
  })
  const nameOf = <Item extends { readonly id: number; readonly name: string }>(
    items: readonly Item[],
    id: number | null,
  ) => items.find((item) => item.id === id)?.name ?? ''
  return [
    text('account', t('account'), 150, ({ account }) => account),
    text('name', t('name'), 120, ({ name }) => name),
    {
      key: 'state',
      title: t('state.label'),
      widthPx: 90,
      value: toState,
      render: (user) => <StateBadge state={user.enabled ? 'on' : 'off'}>{toState(user)}</StateBadge>,
    },
    text('roles', t('roles'), 180, toRoles),
    ...(type === '01' && companies.length > 1
      ? [text('company', t('company'), 160, ({ companyId }) => nameOf(companies, companyId))]
      : []),
    ...(type === '01'
      ? [
          text('organisation', t('organisation'), 150, ({ organisationId }) =>
            nameOf(organisations, organisationId),
          ),
        ]
      : []),
    text('parent', t('parent'), 130, ({ parentId }) => byId.get(parentId ?? 0)?.account ?? ''),
    text('tel', t('tel'), 140, ({ tel }) => tel),
    {
      key: 'createdAt',
      title: t('createdAt'),
      widthPx: 170,
      isExtra: true,
      isOnCard: false,
      value: ({ createdAt }) => createdAt,
      text: ({ createdAt }) => format.instant(createdAt),
      render: ({ createdAt }) => format.instant(createdAt),
    },
  ]
}
