import type { OutputOf } from '@isotherm/contract/endpoint'
import { endOwnSessions, getOwnSessions } from '@isotherm/contract/endpoints/administration/user-access'
import { useQuery } from '@tanstack/react-query'
import { Checkbox, Tag } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { call } from '../../../shared/api/client.ts'
import { FormDrawer, type FormGuard } from '../../../shared/form/form-drawer.tsx'
import { SchemaForm } from '../../../shared/form/schema-form.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { hashPassword } from '../../../shared/session/password.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { renderPresentPassword } from '../password/present-password.tsx'
import { findFurtherStep } from '../sign-in/second-step.ts'
import styles from './own-sessions.module.css'
import { showOwnSessions, useOwnSessions } from './own-sessions-store.ts'

const WIDTH_PX = 420
/** Maximum number of sessions that are listed, and that one call ends. */
const MAX_SESSIONS = 100

const withoutPassword = z.object({ ids: z.array(z.number()).min(1) })
const withPassword = withoutPassword.extend({
  present: z.string().min(1),
  code: z.string().min(6).max(40).optional(),
})

const close = () => showOwnSessions(false)

/** Drawer in which users see where their account is signed in, and end sessions. Loaded only when it is needed. */
export default function OwnSessions(): ReactNode {
  const { t } = useTranslation('session')
  const { isOpen } = useOwnSessions()
  const query = useQuery({
    queryKey: ['own-sessions'],
    enabled: isOpen,
    staleTime: 0,
    queryFn: ({ signal }) => call(getOwnSessions, { limiter: { page: 1, size: MAX_SESSIONS } }, { signal }),
  })
  return (
    <FormDrawer isOpen={isOpen} title={t('sessions.title')} widthPx={WIDTH_PX} onClose={close}>
      {(guard) => (
        <Answer query={query}>
          {(answer) => (
            <Content
              answer={answer}
              guard={guard}
              onDone={() => {
                void query.refetch()
                close()
              }}
            />
          )}
        </Answer>
      )}
    </FormDrawer>
  )
}

interface ContentProps {
  readonly answer: OutputOf<typeof getOwnSessions>
  readonly guard: FormGuard
  readonly onDone: () => void
}

function Content({ answer: { datalist, needsPassword }, guard, onDone }: ContentProps) {
  const { t } = useTranslation('session')
  const format = useFormat()
  const [isCodeNeeded, setCodeNeeded] = useState(false)
  const toPlace = (address: string, createdAt: number): string =>
    t('sessions.since', { address, time: format.instant(createdAt) })
  const own = datalist.find(({ isThis }) => isThis)
  const others = datalist.filter(({ isThis }) => !isThis)
  const here = own && (
    <p>
      {toPlace(own.address, own.createdAt)} <Tag>{t('sessions.this')}</Tag>
    </p>
  )
  if (others.length === 0) {
    return (
      <>
        {here}
        <p>{t('sessions.none')}</p>
      </>
    )
  }
  async function end(ids: number[], present: string | undefined, code: string | undefined): Promise<void> {
    const proof = present === undefined ? {} : { password: hashPassword(present) }
    try {
      await call(endOwnSessions, { ids, ...proof, ...(code !== undefined && { code }) }, { quiet: true })
    } catch (error) {
      if (findFurtherStep(error) === 'code') setCodeNeeded(true)
      throw error
    }
    showNotice('success', t('success.done', { ns: 'common', title: t('sessions.end') }))
  }
  const ids = {
    name: 'ids',
    label: t('sessions.others'),
    control: 'own',
    render: ({ value, onValue }) => (
      <Checkbox.Group
        className={styles.sessions ?? ''}
        value={Array.isArray(value) ? value : []}
        options={others.map(({ id, address, createdAt }) => ({
          value: id,
          label: toPlace(address, createdAt),
        }))}
        onChange={onValue}
      />
    ),
  } as const satisfies Parameters<typeof SchemaForm<typeof withoutPassword>>[0]['fields'][number]
  const rest = { submit: t('sessions.end'), initial: {}, onDone, ...guard }
  if (!needsPassword) {
    return (
      <>
        {here}
        <SchemaForm<typeof withoutPassword>
          schema={withoutPassword}
          fields={[ids]}
          onSave={(input) => end(input.ids, undefined, undefined)}
          {...rest}
        />
      </>
    )
  }
  return (
    <>
      {here}
      <SchemaForm<typeof withPassword>
        schema={withPassword}
        fields={[
          ids,
          { name: 'present', label: t('password.present'), control: 'own', render: renderPresentPassword },
          {
            name: 'code',
            label: t('factor.code'),
            control: 'text',
            hint: t('factor.codeHint'),
            isShown: () => isCodeNeeded,
          },
        ]}
        onSave={(input) => end(input.ids, input.present, input.code)}
        {...rest}
      />
    </>
  )
}
