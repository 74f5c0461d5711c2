import { SafetyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDrawer } from '../../../shared/form/form-drawer.tsx'
import { useIsPermitted, useSession } from '../../../shared/session/session-store.ts'
import type { Assignable } from '../user-queries.ts'
import type { UserType } from '../user-views.ts'
import { PasswordPolicyForm } from './password-policy-form.tsx'

interface PasswordPolicyButtonProps {
  readonly type: UserType
  readonly companies: Assignable['companies']
}

/** Opens the rules for passwords, for those who administer them. */
export function PasswordPolicyButton({ type, companies }: PasswordPolicyButtonProps) {
  const { t } = useTranslation('users')
  const [isOpen, setOpen] = useState(false)
  const mayOfCompany = useIsPermitted('ps-usersys')
  const mayOfProvider = useIsPermitted('ps-htusersys')
  const isOfCompany = useSession(({ user }) => user?.usrUserType !== '100')
  const scopes = [
    ...(isOfCompany ? [] : [{ value: 0, label: t('policy.installation') }]),
    ...companies.map(({ id, name }) => ({ value: id, label: name })),
  ]
  const [first] = type === '100' || isOfCompany ? scopes : scopes.slice(1)
  if (!(mayOfCompany || mayOfProvider) || !first) return null
  return (
    <>
      <Button icon={<SafetyOutlined />} data-testid="password-policy" onClick={() => setOpen(true)}>
        {t('policy.label')}
      </Button>
      <FormDrawer isOpen={isOpen} title={t('policy.label')} onClose={() => setOpen(false)}>
        {(guard) => (
          <PasswordPolicyForm
            scopes={scopes}
            first={first.value}
            guard={guard}
            onDone={() => setOpen(false)}
          />
        )}
      </FormDrawer>
    </>
  )
}
