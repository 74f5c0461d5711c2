import { nodeName } from '@isotherm/contract/tree'
import { useMutation } from '@tanstack/react-query'
import { Button, Input, InputNumber } from 'antd'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { Field } from '../../../shared/form/field.tsx'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { type AddressLine, generateAddresses, parseAddressLines } from './address-lines.ts'
import styles from './edit.module.css'

interface BuildingFieldsProps {
  readonly initial: { readonly name: string; readonly text: string }
  readonly submit: string
  readonly guard: FormGuard
  readonly onSave: (building: {
    readonly name: string
    readonly lines: readonly AddressLine[]
  }) => Promise<void>
  readonly onDone: () => void
}

/** Most wrong lines that are named. */
const MAX_NAMED = 5

/** Name of a building, and its units and households as lines that can be pasted from a spreadsheet. */
export function BuildingFields({ initial, submit, guard, onSave, onDone }: BuildingFieldsProps) {
  const { t } = useTranslation('network')
  const { t: common } = useTranslation('common')
  const id = useId()
  const [name, setName] = useState(initial.name)
  const [text, setText] = useState(initial.text)
  const [isTried, setTried] = useState(false)
  const { lines, wrong } = parseAddressLines(text)
  const isNamed = nodeName.safeParse(name.trim()).success
  const saving = useMutation({ mutationFn: onSave, onSuccess: onDone })
  const isDirty = (name !== initial.name || text !== initial.text) && !saving.isSuccess
  const { onDirty } = guard
  useEffect(() => onDirty(isDirty), [onDirty, isDirty])
  const nameFault = name.trim() === '' ? common('form.fault.required') : t('edit.wrongName')
  return (
    <ActionForm
      submit={submit}
      isReady={!isTried || (isNamed && wrong.length === 0)}
      busy={saving.isPending}
      error={saving.error}
      testId="form-save"
      onSubmit={() => {
        setTried(true)
        if (isNamed && wrong.length === 0) saving.mutate({ name: name.trim(), lines })
      }}
      onCancel={guard.onCancel}
    >
      <Field
        label={`${t('edit.building')} *`}
        htmlFor={`${id}-name`}
        fault={isTried && !isNamed ? nameFault : undefined}
      >
        <Input
          id={`${id}-name`}
          data-testid="field-name"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      <Field
        label={t('edit.addresses', { count: lines.length })}
        htmlFor={`${id}-lines`}
        hint={t('edit.addressesHint')}
        fault={
          wrong.length > 0
            ? t('edit.wrongLines', { lines: wrong.slice(0, MAX_NAMED).join(', '), count: wrong.length })
            : undefined
        }
      >
        <Input.TextArea
          id={`${id}-lines`}
          data-testid="field-addresses"
          rows={10}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <Generator
        onGenerate={(addresses) =>
          setText([...new Set([...text.split('\n'), ...addresses])].filter((line) => line !== '').join('\n'))
        }
      />
    </ActionForm>
  )
}

/** Largest numbers of a building: one call saves at most 5,000 addresses. */
const MAX_NUMBER = 60

/** Fills in the addresses of a regular building. */
function Generator({ onGenerate }: { readonly onGenerate: (addresses: readonly string[]) => void }) {
  const { t } = useTranslation('network')
  const [numbers, setNumbers] = useState({ units: 2, floors: 6, households: 2 })
  return (
    <Field label={t('edit.generate')}>
      <div className={styles.numbers}>
        {(['units', 'floors', 'households'] as const).map((what) => (
          <InputNumber
            key={what}
            min={1}
            max={MAX_NUMBER}
            precision={0}
            value={numbers[what]}
            aria-label={t(`edit.${what}`)}
            title={t(`edit.${what}`)}
            data-testid={`generate-${what}`}
            onChange={(value) => setNumbers({ ...numbers, [what]: value ?? 1 })}
          />
        ))}
        <Button
          data-testid="generate"
          onClick={() => onGenerate(generateAddresses(numbers, (unit) => t('edit.unitName', { unit })))}
        >
          {t('edit.fill')}
        </Button>
      </div>
    </Field>
  )
}
