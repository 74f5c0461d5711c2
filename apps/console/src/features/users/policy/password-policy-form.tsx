import {
  editPasswordPolicy,
  getPasswordPolicy,
  type PasswordPolicy,
} from '@isotherm/contract/endpoints/administration/password-policy'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DutiesButton } from '../../../shared/access/duties-button.tsx'
import { call } from '../../../shared/api/client.ts'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import type { FormField, Option } from '../../../shared/form/form-field.ts'
import { type FormBase, SchemaForm } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import styles from './policy.module.css'

const schema = editPasswordPolicy.input

const toBase = ({ companyId, version, rules }: PasswordPolicy): FormBase => ({
  initial: rules,
  fixed: { companyId, version },
})

interface PasswordPolicyFormProps {
  /** Companies, and 0 for the installation. */
  readonly scopes: readonly (Option & { readonly value: number })[]
  readonly first: number
  readonly guard: FormGuard
  readonly onDone: () => void
}

/** The rules for passwords of one company or of the installation. */
export function PasswordPolicyForm({ scopes, first, guard, onDone }: PasswordPolicyFormProps) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const [scope, setScope] = useState(first)
  const companyId = scope === 0 ? null : scope
  const query = useQuery({
    queryKey: ['password-policy', companyId],
    queryFn: ({ signal }) => call(getPasswordPolicy, { companyId }, { signal }),
  })
  const fields = [
    { name: 'minLength', label: t('policy.minLength'), control: 'number', unit: t('policy.characters') },
    { name: 'minKinds', label: t('policy.minKinds'), control: 'number', hint: t('policy.minKindsHint') },
    { name: 'history', label: t('policy.history'), control: 'number', hint: t('policy.historyHint') },
    {
      name: 'maxAgeDays',
      label: t('policy.maxAge'),
      control: 'number',
      unit: t('policy.days'),
      hint: t('policy.maxAgeHint'),
    },
    {
      name: 'mustChangeGiven',
      label: t('policy.mustChangeGiven'),
      control: 'switch',
      hint: t('policy.mustChangeGivenHint'),
    },
    {
      name: 'givenDays',
      label: t('policy.givenDays'),
      control: 'number',
      unit: t('policy.days'),
      hint: t('policy.givenDaysHint'),
    },
    {
      name: 'needsSecondFactor',
      label: t('policy.needsSecondFactor'),
      control: 'switch',
      hint: t('policy.needsSecondFactorHint'),
    },
    {
      name: 'idleMinutes',
      label: t('policy.idle'),
      control: 'number',
      unit: t('policy.minutes'),
      hint: t('policy.idleHint'),
    },
  ] as const satisfies readonly FormField<string & keyof typeof schema.shape>[]
  return (
    <>
      {scopes.length > 1 && (
        <Select
          className={styles.scope ?? ''}
          aria-label={t('policy.scope')}
          value={scope}
          options={[...scopes]}
          onChange={setScope}
        />
      )}
      <p>{t(companyId === null ? 'policy.ofInstallation' : 'policy.ofCompany')}</p>
      <Answer query={query}>
        {(policy) =>
          policy.mayEdit ? (
            <SchemaForm<typeof schema>
              key={`${scope} ${policy.version}`}
              submit={t('save')}
              schema={schema}
              fields={fields}
              {...toBase(policy)}
              onReload={async () => toBase((await query.refetch()).data ?? policy)}
              onSave={async (input) => {
                await call(editPasswordPolicy, input)
                showNotice('success', t('success.done', { ns: 'common', title: t('policy.label') }))
              }}
              onDone={() => {
                void client.invalidateQueries({ queryKey: ['password-policy'] })
                void client.invalidateQueries({ queryKey: ['password-rules'] })
                onDone()
              }}
              {...guard}
            />
          ) : (
            <p>{t('policy.readOnly')}</p>
          )
        }
      </Answer>
      <DutiesButton />
    </>
  )
}
