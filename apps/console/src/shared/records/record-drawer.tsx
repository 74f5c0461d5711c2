import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { FormDrawer } from '../form/form-drawer.tsx'
import { SchemaForm, type SchemaFormProps } from '../form/schema-form.tsx'
import { ChangeHistory } from './change-history.tsx'

interface RecordDrawerProps<Schema extends z.ZodType<object>>
  extends Omit<SchemaFormProps<Schema>, 'onCancel' | 'onDirty' | 'submit'> {
  /** Identity of the record, or undefined while the drawer is closed. */
  readonly record: string | undefined
  readonly title: ReactNode
  readonly widthPx?: number
  readonly onClose: () => void
  readonly submit?: string
  /** Entity in the operation log; absent for a new record. */
  readonly entity?: { readonly kind: string; readonly id: string }
  /** Shown above the form. */
  readonly head?: ReactNode
  /** False if the user may only look; then `head` and history are shown. */
  readonly isEditable?: boolean
}

/** A drawer that adds or edits a record, with the history of its changes. */
export function RecordDrawer<Schema extends z.ZodType<object>>(props: RecordDrawerProps<Schema>) {
  const { record, title, widthPx, onClose, submit, entity, head, isEditable = true, onDone, ...form } = props
  const { t } = useTranslation('common')
  return (
    <FormDrawer isOpen={record !== undefined} title={title} onClose={onClose} {...(widthPx && { widthPx })}>
      {(guard) => (
        <>
          {head}
          {isEditable && (
            <SchemaForm<Schema>
              {...form}
              key={record}
              submit={submit ?? t('form.save')}
              onDone={onDone}
              {...guard}
            />
          )}
          {entity && <ChangeHistory entity={entity.kind} entityId={entity.id} />}
        </>
      )}
    </FormDrawer>
  )
}
