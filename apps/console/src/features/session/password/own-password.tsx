import type { PasswordRules } from '@isotherm/contract/access/password-rules'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { FormDrawer } from '../../../shared/form/form-drawer.tsx'
import { usePasswordRules, useRulesText } from '../../../shared/form/password-rules.ts'
import { SchemaForm } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { toPasswordSchema } from '../../../shared/session/new-password.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { findFurtherStep } from '../sign-in/second-step.ts'
import { changeOwnPassword } from './change-own-password.ts'
import { showOwnPassword, useOwnPassword } from './own-password-store.ts'
import { renderPresentPassword } from './present-password.tsx'

const toSchema = (rules: PasswordRules) =>
  z
    .object({
      present: z.string().min(1),
      code: z.string().min(6).max(40).optional(),
      next: toPasswordSchema(rules),
      repeated: z.string().min(1),
    })
    .refine(({ next, repeated }) => next === repeated, { path: ['repeated'] })

const WIDTH_PX = 420

const close = () => showOwnPassword(false)

/** Drawer in which users change their own password. Loaded only when it is needed. */
export default function OwnPassword(): ReactNode {
  const { t } = useTranslation('session')
  const { isOpen } = useOwnPassword()
  const [isCodeNeeded, setCodeNeeded] = useState(false)
  const rules = usePasswordRules()
  const rulesText = useRulesText()(rules)
  const schema = toSchema(rules)
  const account = useSession(({ user }) => user?.account ?? '')
  return (
    <FormDrawer isOpen={isOpen} title={t('password.title')} widthPx={WIDTH_PX} onClose={close}>
      {(guard) => (
        <SchemaForm<ReturnType<typeof toSchema>>
          submit={t('password.title')}
          schema={schema}
          fields={[
            {
              name: 'present',
              label: t('password.present'),
              control: 'own',
              render: renderPresentPassword,
            },
            {
              name: 'code',
              label: t('factor.code'),
              control: 'text',
              hint: t('factor.codeHint'),
              isShown: () => isCodeNeeded,
            },
            {
              name: 'next',
              label: t('password.next'),
              control: 'password',
              hint: rulesText,
              wrongText: rulesText,
            },
            {
              name: 'repeated',
              label: t('password.repeated'),
              control: 'password',
              wrongText: t('password.differs'),
            },
          ]}
          initial={{}}
          onSave={async ({ present, next, code }) => {
            try {
              await changeOwnPassword({ account, present, next, code })
            } catch (error) {
              if (findFurtherStep(error) === 'code') setCodeNeeded(true)
              throw error
            }
            showNotice('success', t('success.done', { ns: 'common', title: t('password.title') }))
          }}
          onDone={close}
          {...guard}
        >
          {() => <p>{t('password.touches')}</p>}
        </SchemaForm>
      )}
    </FormDrawer>
  )
}
