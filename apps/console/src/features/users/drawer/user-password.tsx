import { resetPassword } from '@isotherm/contract/endpoints/administration/user-access'
import type { User } from '@isotherm/contract/endpoints/administration/users'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { type FormBase, SchemaForm } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { newPassword } from '../../../shared/session/new-password.ts'
import { hashPassword } from '../../../shared/session/password.ts'
import { forAccount } from '../for-account.ts'
import { PasswordInput } from '../form/password-input.tsx'

const schema = resetPassword.input.extend({ password: newPassword })

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
  return (
    <SchemaForm<typeof schema>
      key={`${user.version}-${count}`}
      submit={t('password.reset')}
      schema={schema}
      fields={[
        {
          name: 'password',
          label: t('password.new'),
          control: 'own',
          hint: t('password.hint'),
          render: (control) => <PasswordInput {...control} />,
        },
      ]}
      {...toBase(user)}
      onReload={async () => toBase((await onReload()) ?? user)}
      onSave={async ({ password, ...input }) => {
        await forAccount(user.account, call(resetPassword, { ...input, password: hashPassword(password) }))
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
  )
}
