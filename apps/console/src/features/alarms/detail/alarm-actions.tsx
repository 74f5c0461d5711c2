import { CheckOutlined, CloseOutlined, MutedOutlined, UserOutlined } from '@ant-design/icons'
import type { Alarm } from '@isotherm/contract/alarms'
import { editAlarm } from '@isotherm/contract/endpoints/alarms'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { showNotice } from '../../../shared/ui/notices.ts'
import type { Deeds } from '../calls/alarm-update.ts'
import { maySilenceQuery } from '../calls/rule-queries.ts'
import { useDeed } from '../calls/use-alarm-mutation.ts'
import styles from '../parts/alarms.module.css'
import { askToSilence } from '../silences/silence-store.ts'
import detail from './detail.module.css'
import { dropSaved, type NotesDraft, toDeeds, toShownNotes, typeNotes } from './notes-draft.ts'

/** What may be done with one alarm, as the server says of it. */
export function AlarmActions({ alarm }: { readonly alarm: Alarm }) {
  const { t } = useTranslation('alarms')
  const account = useSession((session) => session.user?.account)
  const maySilence = useQuery(maySilenceQuery(alarm.node)).data === true
  const { id, version, abilities, assignee } = alarm
  const may = (ability: Alarm['abilities'][number]) => abilities.includes(ability)
  const deed = useDeed((deeds: Deeds) => call(editAlarm, { id, version, ...deeds }), {
    onDone: () => showNotice('success', t('act.doneOne')),
  })
  const { mutate, isPending } = deed
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
            onClick={() => askToSilence({ key: alarm.node, name: alarm.nestaddr.split(',').at(-1) ?? '' })}
          >
            {t('detail.silence')}
          </Button>
        )}
        {may('close') && (
          <Popconfirm
            title={t('deed.close')}
            description={t('deed.closeHint')}
            okText={t('act.close')}
            cancelText={t('deed.cancel')}
            onConfirm={() => mutate({ close: true })}
          >
            <Button icon={<CloseOutlined />} disabled={isPending}>
              {t('act.close')}
            </Button>
          </Popconfirm>
        )}
      </div>
      {(may('comment') || may('assign')) && (
        <Notes key={id} alarm={alarm} busy={isPending} onDeeds={mutate} />
      )}
    </section>
  )
}

interface NotesProps {
  readonly alarm: Alarm
  readonly busy: boolean
  readonly onDeeds: (deeds: Deeds, options: { readonly onSuccess: () => void }) => void
}

/** Comment and assignee. What is typed stays until it is saved, whatever else is done to the alarm meanwhile. */
function Notes({ alarm, busy, onDeeds }: NotesProps) {
  const { t } = useTranslation('alarms')
  const [draft, setDraft] = useState<NotesDraft>({})
  const { comment, assignee } = toShownNotes(draft, alarm)
  const deeds = toDeeds(draft, alarm)
  const type = (typed: NotesDraft) => setDraft((before) => typeNotes(before, typed, alarm))
  return (
    <form
      className={detail.notes}
      onSubmit={(event) => {
        event.preventDefault()
        onDeeds(deeds, { onSuccess: () => setDraft((now) => dropSaved(now, draft)) })
      }}
    >
      <Input
        prefix={<UserOutlined />}
        value={assignee}
        maxLength={64}
        allowClear
        placeholder={t('deed.assign')}
        aria-label={t('detail.assignee')}
        onChange={(event) => type({ assignee: event.target.value })}
      />
      <Input.TextArea
        value={comment}
        maxLength={500}
        autoSize={{ minRows: 2, maxRows: 6 }}
        placeholder={t('deed.comment')}
        aria-label={t('detail.comment')}
        data-testid="alarm-comment"
        onChange={(event) => type({ comment: event.target.value })}
      />
      <Button htmlType="submit" loading={busy} disabled={Object.keys(deeds).length === 0}>
        {t('deed.submitOne')}
      </Button>
    </form>
  )
}
