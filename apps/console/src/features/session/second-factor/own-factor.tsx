import {
  getSecondFactor,
  removeSecondFactor,
} from '@isotherm/contract/endpoints/administration/second-factor'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { call } from '../../../shared/api/client.ts'
import { FormDrawer, type FormGuard } from '../../../shared/form/form-drawer.tsx'
import { SchemaForm } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { hashPassword } from '../../../shared/session/password.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { listTokenHashes } from '../../../shared/session/token-hashes.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { renderPresentPassword } from '../password/present-password.tsx'
import { showOwnFactor, useOwnFactor } from './own-factor-store.ts'
import Setup, { type Credentials } from './setup.tsx'

const WIDTH_PX = 420
const QUERY_KEY = ['second-factor', 'own']

const passwordOnly = z.object({ present: z.string().min(1) })
const withCode = passwordOnly.extend({ code: z.string().min(6).max(40) })

const close = () => showOwnFactor(false)

/** Drawer in which users turn two-step sign-in on and off. Loaded only when it is needed. */
export default function OwnFactor(): ReactNode {
  const { t } = useTranslation('session')
  const { isOpen } = useOwnFactor()
  return (
    <FormDrawer isOpen={isOpen} title={t('factor.title')} widthPx={WIDTH_PX} onClose={close}>
      {(guard) => <Content guard={guard} />}
    </FormDrawer>
  )
}

function Content({ guard }: { readonly guard: FormGuard }) {
  const { t } = useTranslation('session')
  const account = useSession(({ user }) => user?.account ?? '')
  const client = useQueryClient()
  const [credentials, setCredentials] = useState<Credentials>()
  const query = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => call(getSecondFactor, {}, { signal }),
  })
  const finish = (title: string) => {
    void client.invalidateQueries({ queryKey: QUERY_KEY })
    showNotice('success', t('success.done', { ns: 'common', title }))
    close()
  }
  const toCredentials = (present: string) => ({ username: account, password: hashPassword(present) })
  const present = {
    name: 'present',
    label: t('password.present'),
    control: 'own',
    render: renderPresentPassword,
  } as const
  if (credentials) {
    return <Setup credentials={credentials} onDone={() => finish(t('factor.turnOn'))} onCancel={close} />
  }
  return (
    <Answer query={query}>
      {({ isOn, isRequired, recoveryCodesLeft }) => {
        if (!isOn) {
          return (
            <SchemaForm<typeof passwordOnly>
              submit={t('factor.next')}
              schema={passwordOnly}
              fields={[present]}
              initial={{}}
              onSave={async (input) => setCredentials(toCredentials(input.present))}
              onDone={() => {}}
              {...guard}
            >
              {() => <p>{t('factor.why')}</p>}
            </SchemaForm>
          )
        }
        if (isRequired) return <p>{t('factor.isRequired', { count: recoveryCodesLeft })}</p>
        return (
          <SchemaForm<typeof withCode>
            submit={t('factor.turnOff')}
            schema={withCode}
            fields={[
              present,
              { name: 'code', label: t('factor.code'), control: 'text', hint: t('factor.codeHint') },
            ]}
            initial={{}}
            onSave={({ present: password, code }) => {
              const tokenHashes = listTokenHashes(localStorage)
              return call(
                removeSecondFactor,
                { ...toCredentials(password), code, tokenHashes },
                { quiet: true },
              )
            }}
            onDone={() => finish(t('factor.turnOff'))}
            {...guard}
          >
            {() => <p>{t('factor.isOn', { count: recoveryCodesLeft })}</p>}
          </SchemaForm>
        )
      }}
    </Answer>
  )
}
