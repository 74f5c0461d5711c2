import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { ApiError } from '../api/api-error.ts'
import { ActionForm } from './action-form.tsx'
import { type Fault, findFaults, isEmpty, isRequired } from './faults.ts'
import { Field } from './field.tsx'
import styles from './form.module.css'
import { FormControl } from './form-control.tsx'
import type { FormField } from './form-field.ts'

type Values = Readonly<Record<string, unknown>>

/** The record on which the entries are based. */
export interface FormBase {
  /** Values at the start: of the record, or the defaults of a new one. */
  readonly initial: Values
  /** Input that is not entered, such as id and version. */
  readonly fixed?: Values
}

export interface SchemaFormProps<Schema extends z.ZodType<object>> extends FormBase {
  /** Input of the call. */
  readonly schema: Schema
  readonly fields: readonly FormField<string & keyof z.input<Schema>>[]
  readonly submit: string
  /** Sends the call. A refusal is shown in the form. */
  readonly onSave: (input: z.output<Schema>) => Promise<unknown>
  readonly onDone: () => void
  readonly onCancel: () => void
  /** Whether there are entries that would be lost. */
  readonly onDirty?: (isDirty: boolean) => void
  /** Loads the newest record after a change by another user. The entries stay. */
  readonly onReload?: () => Promise<FormBase>
  /** Further content below the fields, by the entered values. */
  readonly children?: (values: Values) => ReactNode
}

/** The input of the call: the entered values without those of hidden or empty fields. */
function toInput(fields: readonly FormField<string>[], values: Values, fixed: Values): Values {
  const entered = fields.flatMap((field) => {
    if (field.isShown?.(values) === false) return []
    const value = values[field.name]
    const isLeft = isEmpty(value) && !Array.isArray(value)
    if (!isLeft) return [[field.name, typeof value === 'string' ? value.trim() : value]]
    return field.emptyAs === undefined ? [] : [[field.name, field.emptyAs]]
  })
  return { ...fixed, ...Object.fromEntries(entered) }
}

/**
 * A form for the input of a call. Required fields and faults follow from the schema. A fault is shown after its field was
 * changed, or after an attempt to save. If another user has changed the record, the form offers to load it and keeps the
 * entries.
 */
export function SchemaForm<Schema extends z.ZodType<object>>(props: SchemaFormProps<Schema>): ReactNode {
  const { schema, initial, fixed, submit, onSave, onDone, onCancel, onDirty, onReload, children } = props
  const fields: readonly FormField<string>[] = props.fields
  const { t } = useTranslation('common')
  const id = useId()
  // The base stays the opened record until the user loads a newer one, so that a save names the version that was seen.
  const [base, setBase] = useState<FormBase>({ initial, ...(fixed && { fixed }) })
  const [changes, setChanges] = useState<Values>({})
  const [isTried, setTried] = useState(false)
  const values: Values = { ...base.initial, ...changes }
  const input = toInput(fields, values, base.fixed ?? {})
  const faults = findFaults(schema, input)
  const saving = useMutation({ mutationFn: onSave, onSuccess: onDone })
  const reloading = useMutation({
    mutationFn: async () => onReload?.(),
    onSuccess(newest) {
      if (newest) setBase(newest)
      saving.reset()
    },
  })
  const isStale = saving.error instanceof ApiError && saving.error.code === 'entity.stale'
  const isDirty = Object.keys(changes).length > 0
  useEffect(() => onDirty?.(isDirty && !saving.isSuccess), [onDirty, isDirty, saving.isSuccess])
  const toText = (field: FormField<string>, fault: Fault): string =>
    fault.kind === 'format' && field.wrongText !== undefined
      ? field.wrongText
      : 'limit' in fault
        ? t(`form.fault.${fault.kind}`, { limit: fault.limit })
        : t(`form.fault.${fault.kind}`)
  return (
    <ActionForm
      submit={submit}
      isReady={!isTried || faults.size === 0}
      busy={saving.isPending}
      error={saving.error}
      testId="form-save"
      onSubmit={() => {
        setTried(true)
        const parsed = schema.safeParse(input)
        if (parsed.success) saving.mutate(parsed.data)
      }}
      onCancel={onCancel}
    >
      {fields.map((field) => {
        if (field.isShown?.(values) === false) return null
        const fault = isTried || field.name in changes ? faults.get(field.name) : undefined
        const controlId = `${id}-${field.name}`
        const isNeeded = field.control !== 'switch' && isRequired(schema, input, field.name, field.emptyAs)
        return (
          <Field
            key={field.name}
            label={isNeeded ? `${field.label} *` : field.label}
            htmlFor={controlId}
            fault={fault && toText(field, fault)}
            {...(field.hint !== undefined && { hint: field.hint })}
          >
            <FormControl
              field={field}
              id={controlId}
              value={values[field.name]}
              isFaulty={fault !== undefined}
              values={values}
              onValue={(value) => setChanges({ ...changes, [field.name]: value })}
            />
          </Field>
        )
      })}
      {children?.(values)}
      {isStale && onReload && (
        <p className={styles.meta}>
          {t('form.stale')}{' '}
          <Button
            size="small"
            loading={reloading.isPending}
            data-testid="form-reload"
            onClick={() => reloading.mutate()}
          >
            {t('form.reload')}
          </Button>
        </p>
      )}
    </ActionForm>
  )
}
