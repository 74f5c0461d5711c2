import type { PasswordRules } from '@isotherm/contract/access/password-rules'
import { resetPassword } from '@isotherm/contract/endpoints/administration/user-access'
import type { User } from '@isotherm/contract/endpoints/administration/users'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { usePasswordRules, useRulesText } from '../../../shared/form/password-rules.ts'
import { type FormBase, SchemaForm } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { toGivenPassword, toPasswordSchema } from '../../../shared/session/new-password.ts'
import { forAccount } from '../for-account.ts'
import { PasswordInput } from '../form/password-input.tsx'
import { ResetFactor } from './reset-factor.tsx'

/** Input of the form: of the call, with the password itself instead of its hash. */
const toSchema = (rules: PasswordRules) =>
  resetPassword.input.omit({ passwordText: true }).extend({ password: toPasswordSchema(rules) })

const toBase = ({ id, version }: User): FormBase => ({ initial: {}, fixed: { uid: id, version } })

interface UserPasswordProps {
  readonly user: User
  readonly guard: FormGuard
  readonly onChanged: () => void
  /** Loads the newest state of the user. */
  readonly onReload: () => Promise<User | undefined>
}

/** Sets the password of another user. */
export function UserPassword({ user, guard, onChanged, onReload }: UserPasswordProps) {
  const { t } = useTranslation('users')
  const [count, setCount] = useState(0)
  const rules = usePasswordRules(user.companyId)
  const { minLength, minKinds } = rules
  const rulesText = useRulesText()({ minLength, minKinds })
  return (
    <>
      <SchemaForm<ReturnType<typeof toSchema>>
        key={`${user.version}-${count}`}
        submit={t('password.reset')}
        schema={toSchema(rules)}
        fields={[
          {
            name: 'password',
            label: t('password.new'),
            control: 'own',
            hint: rulesText,
            wrongText: rulesText,
            render: (control) => <PasswordInput {...control} rules={rules} />,
          },
        ]}
        {...toBase(user)}
        onReload={async () => toBase((await onReload()) ?? user)}
        onSave={async ({ password, ...input }) => {
          await forAccount(user.account, call(resetPassword, { ...input, ...toGivenPassword(password) }))
          const title = `${user.account} ${t('password.reset')}`
          showNotice('success', t('success.done', { ns: 'common', title }))
        }}
        onDone={() => {
          setCount(count + 1)
          onChanged()
        }}
        {...guard}
      >
        {() => <p>{t('password.touches')}</p>}
      </SchemaForm>
      <ResetFactor user={user} onChanged={onChanged} />
    </>
  )
}
