import type { Role } from '@isotherm/contract/endpoints/administration/roles'
import { useTranslation } from 'react-i18next'
import { useRoleName } from '../../../shared/access/use-role-name.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'

/** Columns of the list of roles. */
export function useRoleColumns(): readonly RecordColumn<Role>[] {
  const { t } = useTranslation('system')
  const toName = useRoleName()
  const text = (key: string, title: string, widthPx: number, read: (role: Role) => string) => ({
    key,
    title,
    widthPx,
    value: read,
    render: read,
  })
  const number = (key: string, title: string, read: (role: Role) => number) => ({
    key,
    title,
    widthPx: 100,
    align: 'end' as const,
    value: read,
    render: read,
  })
  return [
    text('name', t('roles.name'), 180, toName),
    text('code', t('roles.code'), 160, ({ code, codeName }) => `${code} ${toName({ name: codeName })}`),
    text('owner', t('roles.owner'), 180, ({ companyName }) => companyName ?? t('roles.everyCompany')),
    text('kind', t('roles.kind'), 120, ({ builtIn }) => t(builtIn ? 'roles.builtIn' : 'roles.own')),
    number('modules', t('roles.modules'), ({ moduleIds }) => moduleIds.length),
    number('accounts', t('roles.accounts'), ({ accountCount }) => accountCount),
    text('description', t('roles.description'), 280, ({ description }) => description),
  ]
}
