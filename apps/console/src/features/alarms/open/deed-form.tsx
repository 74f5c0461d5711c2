import { Checkbox, Input, Segmented } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../shared/session/session-store.ts'
import type { Deeds } from '../calls/alarm-update.ts'
import { ActionForm } from '../form/action-form.tsx'
import { Field } from '../form/field.tsx'
import styles from '../parts/alarms.module.css'

interface DeedFormProps {
  readonly intro: string
  readonly submit: string
  /** Nothing is there to act upon. */
  readonly isEmpty: boolean
  readonly busy: boolean
  readonly error: Error | null
  readonly onDeeds: (deeds: Deeds) => void
  readonly onClose: () => void
}

type Assigning = 'keep' | 'me' | 'other' | 'nobody'

/** What is to be done, to one alarm or to many. */
export function DeedForm({ intro, submit, isEmpty, busy, error, onDeeds, onClose }: DeedFormProps) {
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
  const deeds: Deeds = {
    ...(acknowledge && { acknowledge }),
    ...(close && { close }),
    ...(assignee !== undefined && { assignee }),
    ...(comment.trim() !== '' && { comment: comment.trim() }),
  }
  const isUnfinished = assigning === 'other' && assignee === undefined
  return (
    <ActionForm
      submit={submit}
      isReady={!isEmpty && !isUnfinished && Object.keys(deeds).length > 0}
      busy={busy}
      error={error}
      danger={close}
      testId="deed-submit"
      onSubmit={() => onDeeds(deeds)}
      onCancel={onClose}
    >
      <p className={styles.intro} data-testid="deed-intro">
        {intro}
      </p>
      <Checkbox checked={acknowledge} onChange={({ target }) => setAcknowledge(target.checked)}>
        {t('deed.acknowledge')}
      </Checkbox>
      <Field label={t('deed.assign')}>
        <Segmented<Assigning>
          aria-label={t('deed.assign')}
          value={assigning}
          options={[
            { value: 'keep', label: t('deed.assignKeep') },
            { value: 'me', label: account },
            { value: 'other', label: t('deed.assignOther') },
            { value: 'nobody', label: t('deed.assignNobody') },
          ]}
          onChange={setAssigning}
        />
        {assigning === 'other' && (
          <Input
            value={other}
            maxLength={64}
            placeholder={t('deed.assignPlaceholder')}
            aria-label={t('deed.assignPlaceholder')}
            onChange={(event) => setOther(event.target.value)}
          />
        )}
      </Field>
      <Field label={t('deed.comment')} htmlFor={`${id}-comment`}>
        <Input.TextArea
          id={`${id}-comment`}
          value={comment}
          maxLength={500}
          autoSize={{ minRows: 2, maxRows: 6 }}
          placeholder={t('deed.commentKeep')}
          data-testid="deed-comment"
          onChange={(event) => setComment(event.target.value)}
        />
      </Field>
      <Checkbox checked={close} onChange={({ target }) => setClose(target.checked)}>
        {t('deed.close')}
      </Checkbox>
      {close && <p className={styles.hint}>{t('deed.closeHint')}</p>}
    </ActionForm>
  )
}
