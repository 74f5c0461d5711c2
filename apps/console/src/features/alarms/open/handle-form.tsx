import { Checkbox, Input, Segmented } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { Field } from '../../../shared/form/field.tsx'
import { useSession } from '../../../shared/session/session-store.ts'
import type { AlarmUpdate } from '../calls/alarm-update.ts'
import styles from '../parts/alarms.module.css'

interface HandleFormProps {
  readonly intro: string
  readonly submit: string
  /** No alarm to handle. */
  readonly isEmpty: boolean
  readonly busy: boolean
  readonly error: Error | null
  readonly onUpdate: (update: AlarmUpdate) => void
  readonly onClose: () => void
}

type Assigning = 'keep' | 'me' | 'other' | 'nobody'

/** The form with the changes for many alarms. */
export function HandleForm({ intro, submit, isEmpty, busy, error, onUpdate, onClose }: HandleFormProps) {
  const { t } = useTranslation('alarms')
  const id = useId()
  const account = useSession((session) => session.user?.account) ?? ''
  const [acknowledge, setAcknowledge] = useState(true)
  const [close, setClose] = useState(false)
  const [assigning, setAssigning] = useState<Assigning>('keep')
  const [other, setOther] = useState('')
  const [comment, setComment] = useState('')
  const assignees = { keep: undefined, me: account, other: other.trim() || undefined, nobody: null }
  const assignee = assignees[assigning]
  const update: AlarmUpdate = {
    ...(acknowledge && { acknowledge }),
    ...(close && { close }),
    ...(assignee !== undefined && { assignee }),
    ...(comment.trim() !== '' && { comment: comment.trim() }),
  }
  const isUnfinished = assigning === 'other' && assignee === undefined
  return (
    <ActionForm
      submit={submit}
      isReady={!isEmpty && !isUnfinished && Object.keys(update).length > 0}
      busy={busy}
      error={error}
      danger={close}
      testId="handle-submit"
      onSubmit={() => onUpdate(update)}
      onCancel={onClose}
    >
      <p className={styles.intro} data-testid="handle-intro">
        {intro}
      </p>
      <Checkbox checked={acknowledge} onChange={({ target }) => setAcknowledge(target.checked)}>
        {t('handle.acknowledge')}
      </Checkbox>
      <Field label={t('handle.assign')}>
        <Segmented<Assigning>
          aria-label={t('handle.assign')}
          value={assigning}
          options={[
            { value: 'keep', label: t('handle.assignKeep') },
            { value: 'me', label: account },
            { value: 'other', label: t('handle.assignOther') },
            { value: 'nobody', label: t('handle.assignNobody') },
          ]}
          onChange={setAssigning}
        />
        {assigning === 'other' && (
          <Input
            value={other}
            maxLength={64}
            placeholder={t('handle.assignPlaceholder')}
            aria-label={t('handle.assignPlaceholder')}
            onChange={(event) => setOther(event.target.value)}
          />
        )}
      </Field>
      <Field label={t('handle.comment')} htmlFor={`${id}-comment`}>
        <Input.TextArea
          id={`${id}-comment`}
          value={comment}
          maxLength={500}
          autoSize={{ minRows: 2, maxRows: 6 }}
          placeholder={t('handle.commentKeep')}
          data-testid="handle-comment"
          onChange={(event) => setComment(event.target.value)}
        />
      </Field>
      <Checkbox checked={close} onChange={({ target }) => setClose(target.checked)}>
        {t('handle.close')}
      </Checkbox>
      {close && <p className={styles.hint}>{t('handle.closeHint')}</p>}
    </ActionForm>
  )
}
