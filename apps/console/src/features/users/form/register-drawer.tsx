import type { PasswordRules } from '@isotherm/contract/access/password-rules'
import { regUser2, type User } from '@isotherm/contract/endpoints/administration/users'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormField } from '../../../shared/form/form-field.ts'
import { usePasswordRules, useRulesText } from '../../../shared/form/password-rules.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { NEW } from '../../../shared/records/list-url.ts'
import { RecordDrawer } from '../../../shared/records/record-drawer.tsx'
import { toGivenPassword, toPasswordSchema } from '../../../shared/session/new-password.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { forAccount } from '../for-account.ts'
import type { Assignable } from '../user-queries.ts'
import type { UserType } from '../user-views.ts'
import { PasswordInput } from './password-input.tsx'
import { useUserFields } from './user-fields.tsx'

/** Input of the form: of the call, with the password itself instead of its hash. */
const toSchema = (rules: PasswordRules) =>
  regUser2.input.omit({ passwordText: true }).extend({ password: toPasswordSchema(rules) })
type Schema = ReturnType<typeof toSchema>

interface RegisterDrawerProps {
  readonly isOpen: boolean
  readonly type: UserType
  readonly assignable: Assignable
  readonly users: readonly User[]
  readonly callerSeesAll: boolean
  /** The account that the new one becomes a sub-account of, unless the user chooses another. */
  readonly parent: User | undefined
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Registers a user, with roles and granted nodes. */
export function RegisterDrawer(props: RegisterDrawerProps) {
  const { isOpen, type, assignable, users, callerSeesAll, parent, onDone, onClose } = props
  const { t } = useTranslation('users')
  const isOfCompany = useSession(({ user }) => user?.usrUserType !== '100')
  // The server checks the rules of the company that the account gets.
  const [only, ...more] = assignable.companies
  const ofType = type === '100' ? null : more.length === 0 ? only?.id : undefined
  const rules = usePasswordRules(ofType)
  const { minLength, minKinds } = rules
  const rulesText = useRulesText()({ minLength, minKinds })
  const shared = useUserFields({ type, assignable, users, givesRights: true, callerSeesAll })
  const fields = [
    {
      name: 'account',
      label: t('account'),
      control: 'text',
      hint: t('accountHint'),
      wrongText: t('accountWrong'),
    },
    {
      name: 'password',
      label: t('password.label'),
      control: 'own',
      hint: rulesText,
      wrongText: rulesText,
      render: (control) => <PasswordInput {...control} rules={rules} />,
    },
    {
      name: 'companyId',
      label: t('company'),
      control: 'select',
      options: assignable.companies.map(({ id, name }) => ({ value: id, label: name })),
      isShown: ({ secAccount }) =>
        type === '01' && !isOfCompany && assignable.companies.length > 1 && !secAccount,
    },
    ...shared,
    {
      name: 'nodes',
      label: t('grants.label'),
      control: 'nodes',
      hint: t('grants.newHint'),
      isShown: ({ seesAll }) => seesAll !== true,
    },
  ] as const satisfies readonly FormField<string & keyof Schema['shape']>[]
  return (
    <RecordDrawer<Schema>
      record={isOpen ? NEW : undefined}
      title={t('register')}
      submit={t('register')}
      schema={toSchema(rules)}
      fields={fields}
      initial={parent ? { secAccount: parent.account } : {}}
      fixed={{ usrUserType: type }}
      onSave={async ({ password, ...input }) => {
        const { account } = input
        await forAccount(account, call(regUser2, { ...input, ...toGivenPassword(password) }))
        showNotice('success', t('success.registered', { ns: 'common', account }))
      }}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
