import type { User } from '@isotherm/contract/endpoints/administration/users'
import { useTranslation } from 'react-i18next'
import { useRoleName } from '../../../shared/access/use-role-name.ts'
import type { FormField, Option } from '../../../shared/form/form-field.ts'
import type { Assignable } from '../user-queries.ts'
import type { UserType } from '../user-views.ts'
import { CodeInput } from './code-input.tsx'

type Values = Readonly<Record<string, unknown>>

export interface UserFieldsInput {
  readonly type: UserType
  readonly assignable: Assignable
  /** All users of the list: the possible parents. */
  readonly users: readonly User[]
  /** The edited user; undefined for a new one. */
  readonly user?: User | undefined
  /** Whether the user may change rights, such as roles and parent. Nobody changes their own. */
  readonly givesRights: boolean
  /** Whether the signed-in user sees everything, so that another user of the provider may. */
  readonly callerSeesAll: boolean
}

const isTel = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Fields that a new user and an edited one have in common. */
export function useUserFields(input: UserFieldsInput) {
  const { type, assignable, users, user, givesRights, callerSeesAll } = input
  const { roles, companies, organisations, needsCode } = assignable
  const { t } = useTranslation('users')
  const toRoleName = useRoleName()
  const isOfCompany = type === '01'
  const isOfUser = (companyId: number | null) => !user || companyId === null || companyId === user.companyId
  const ofCompany = (name: string, companyId: number | null): string => {
    const company = companies.length > 1 && companies.find(({ id }) => id === companyId)
    return company ? `${name} · ${company.name}` : name
  }
  const roleOptions: readonly Option[] = roles
    .filter(
      ({ id, abilities, companyId }) =>
        (user?.roles.some((role) => role.id === id) ?? false) ||
        (abilities.includes('give') && isOfUser(companyId)),
    )
    .map((role) => ({ value: role.id, label: ofCompany(toRoleName(role), role.companyId) }))
  const parentOptions: readonly Option[] = users
    .filter(
      ({ id, parentId, seesAll, companyId }) =>
        parentId === null && !seesAll && id !== user?.id && (!user || companyId === user.companyId),
    )
    .map(({ account, name }) => ({ value: account, label: `${account} ${name}` }))
  const hasSubAccounts = user !== undefined && users.some(({ parentId }) => parentId === user.id)
  const isNewTel = ({ tel }: Values): boolean => isTel(tel) && tel.trim() !== user?.tel
  return [
    { name: 'name', label: t('name'), control: 'text', wrongText: t('nameWrong') },
    {
      name: 'tel',
      label: t('tel'),
      control: 'text',
      emptyAs: '',
      wrongText: t('telWrong'),
      ...(needsCode === false && { hint: t('code.notConfigured') }),
    },
    {
      name: 'verificationCode',
      label: t('code.label'),
      control: 'own',
      wrongText: t('code.wrong'),
      isShown: (values) => needsCode === true && isNewTel(values),
      render: (props) => <CodeInput {...props} />,
    },
    {
      name: 'organisationId',
      label: t('organisation'),
      control: 'select',
      emptyAs: null,
      options: organisations
        .filter(({ companyId }) => isOfUser(companyId))
        .map(({ id, name, companyId }) => ({ value: id, label: ofCompany(name, companyId) })),
      isShown: () => isOfCompany && organisations.length > 0,
    },
    {
      name: 'secAccount',
      label: t('parent'),
      control: 'select',
      hint: t('parentHint'),
      emptyAs: null,
      options: parentOptions,
      isShown: ({ seesAll }) => givesRights && !hasSubAccounts && seesAll !== true,
    },
    {
      name: 'roleIds',
      label: t('roles'),
      control: 'multi',
      options: roleOptions,
      isShown: () => givesRights,
    },
    {
      name: 'seesAll',
      label: t('seesAll'),
      control: 'switch',
      hint: t('seesAllHint'),
      isShown: ({ secAccount }) => !isOfCompany && givesRights && callerSeesAll && !secAccount,
    },
  ] as const satisfies readonly FormField<string>[]
}
