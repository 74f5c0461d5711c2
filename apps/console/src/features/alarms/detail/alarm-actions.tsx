import { CheckOutlined, CloseOutlined, MutedOutlined, UserOutlined } from '@ant-design/icons'
import type { Alarm } from '@isotherm/contract/alarms/alarms'
import { editAlarm } from '@isotherm/contract/endpoints/monitoring/alarms'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import type { AlarmUpdate } from '../calls/alarm-update.ts'
import { maySilenceQuery } from '../calls/rule-queries.ts'
import { useAlarmMutation } from '../calls/use-alarm-mutation.ts'
import styles from '../parts/alarms.module.css'
import { openSilenceDialog } from '../silences/silence-store.ts'
import detail from './detail.module.css'
import { dropSaved, type NotesDraft, toAlarmUpdate, toShownNotes, typeNotes } from './notes-draft.ts'

/** The actions on one alarm, by the abilities that the server sent. */
export function AlarmActions({ alarm }: { readonly alarm: Alarm }) {
  const { t } = useTranslation('alarms')
  const account = useSession((session) => session.user?.account)
  const maySilence = useQuery(maySilenceQuery(alarm.node)).data === true
  const { id, version, abilities, assignee } = alarm
  const may = (ability: Alarm['abilities'][number]) => abilities.includes(ability)
  const mutation = useAlarmMutation((update: AlarmUpdate) => call(editAlarm, { id, version, ...update }), {
    onDone: () => showNotice('success', t('act.doneOne')),
  })
  const { mutate, isPending } = mutation
  return (
    <section className={detail.actions}>
      <div className={styles.buttons}>
        {may('acknowledge') && (
          <Button
            type="primary"
            icon={<CheckOutlined />}
            disabled={isPending}
            data-testid="acknowledge"
            onClick={() => mutate({ acknowledge: true })}
          >
            {t('act.acknowledge')}
          </Button>
        )}
        {may('assign') && account !== undefined && assignee !== account && (
          <Button icon={<UserOutlined />} disabled={isPending} onClick={() => mutate({ assignee: account })}>
            {t('act.assignMe')}
          </Button>
        )}
        {maySilence && (
          <Button
            icon={<MutedOutlined />}
            onClick={() =>
              openSilenceDialog({ key: alarm.node, name: alarm.nestaddr.split(',').at(-1) ?? '' })
            }
          >
            {t('detail.silence')}
          </Button>
        )}
        {may('close') && (
          <Popconfirm
            title={t('handle.close')}
            description={t('handle.closeHint')}
            okText={t('act.close')}
            cancelText={t('handle.cancel')}
            onConfirm={() => mutate({ close: true })}
          >
            <Button icon={<CloseOutlined />} disabled={isPending}>
              {t('act.close')}
            </Button>
          </Popconfirm>
        )}
      </div>
      {(may('comment') || may('assign')) && (
        <Notes key={id} alarm={alarm} busy={isPending} onUpdate={mutate} />
      )}
    </section>
  )
}

interface NotesProps {
  readonly alarm: Alarm
  readonly busy: boolean
  readonly onUpdate: (update: AlarmUpdate, options: { readonly onSuccess: () => void }) => void
}

/** Comment and assignee. Typed text stays until it is saved, also when the alarm changes in the meantime. */
function Notes({ alarm, busy, onUpdate }: NotesProps) {
  const { t } = useTranslation('alarms')
  const [draft, setDraft] = useState<NotesDraft>({})
  const { comment, assignee } = toShownNotes(draft, alarm)
  const update = toAlarmUpdate(draft, alarm)
  const type = (typed: NotesDraft) => setDraft((before) => typeNotes(before, typed, alarm))
  return (
    <form
      className={detail.notes}
      onSubmit={(event) => {
        event.preventDefault()
        onUpdate(update, { onSuccess: () => setDraft((now) => dropSaved(now, draft)) })
      }}
    >
      <Input
        prefix={<UserOutlined />}
        value={assignee}
        maxLength={64}
        allowClear
        placeholder={t('handle.assign')}
        aria-label={t('detail.assignee')}
        onChange={(event) => type({ assignee: event.target.value })}
      />
      <Input.TextArea
        value={comment}
        maxLength={500}
        autoSize={{ minRows: 2, maxRows: 6 }}
        placeholder={t('handle.comment')}
        aria-label={t('detail.comment')}
        data-testid="alarm-comment"
        onChange={(event) => type({ comment: event.target.value })}
      />
      <Button htmlType="submit" loading={busy} disabled={Object.keys(update).length === 0}>
        {t('handle.submitOne')}
      </Button>
    </form>
  )
}
