import type { GroupSchedule } from '@isotherm/contract/endpoints/control/group-schedules'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { OrderRows } from './order-rows.tsx'
import styles from './schedule.module.css'
import { findFault, type ScheduleDraft, toDraft } from './schedule-draft.ts'
import { ScheduleFacts } from './schedule-facts.tsx'
import { saveSchedule, scheduleKey, scheduleQuery } from './schedule-queries.ts'

interface GroupScheduleProps {
  readonly groupId: number
  readonly name: string
  readonly onBatch: (batchId: string) => void
}

/** The weekly schedule of a device group: its orders, the coming ones, and the outcome of the last one. */
export function GroupSchedulePanel({ groupId, name, onBatch }: GroupScheduleProps) {
  const { t } = useTranslation('valves')
  return (
    <Panel title={t('schedule.title', { name })}>
      <Answer query={useQuery(scheduleQuery(groupId))}>
        {(schedule) => <Schedule schedule={schedule} onBatch={onBatch} />}
      </Answer>
    </Panel>
  )
}

function Schedule({
  schedule,
  onBatch,
}: {
  readonly schedule: GroupSchedule
  readonly onBatch: (batchId: string) => void
}) {
  const { t } = useTranslation('valves')
  const client = useQueryClient()
  const [typed, setTyped] = useState<ScheduleDraft>()
  const draft = typed ?? toDraft(schedule)
  const fault = findFault(draft)
  const save = useMutation({
    mutationFn: () => saveSchedule({ groupId: schedule.groupId, ...draft, orders: [...draft.orders] }),
    onSuccess(saved) {
      client.setQueryData(scheduleKey(schedule.groupId), saved)
      setTyped(undefined)
      showNotice('success', t('schedule.saved'))
    },
    // Another user may have saved first: what is stored now is shown beside the refusal.
    onError: () => client.invalidateQueries({ queryKey: scheduleKey(schedule.groupId) }),
  })
  const change = (part: Partial<ScheduleDraft>) => {
    save.reset()
    setTyped({ ...draft, ...part })
  }
  const maySet = schedule.abilities.includes('set')
  return (
    <div className={styles.schedule} data-testid="group-schedule">
      <p className={styles.hint}>{t('schedule.means', { zone: schedule.timeZone })}</p>
      {maySet && <OrderRows orders={draft.orders} onOrders={(orders) => change({ orders })} />}
      {fault !== undefined && <Alert type="warning" showIcon title={t(`schedule.fault.${fault}`)} />}
      {save.error && (
        <Alert
          type="error"
          showIcon
          title={toFailureText(save.error)}
          action={
            <Button
              size="small"
              data-testid="schedule-reload"
              onClick={() => {
                save.reset()
                setTyped(undefined)
              }}
            >
              {t('schedule.reload')}
            </Button>
          }
        />
      )}
      {maySet && (
        <div className={styles.line}>
          <Switch
            checked={draft.enabled}
            aria-label={t('schedule.enabled')}
            data-testid="schedule-enabled"
            onChange={(enabled) => change({ enabled })}
          />
          <span>{t(draft.enabled ? 'schedule.on' : 'schedule.off')}</span>
          <Button
            type="primary"
            disabled={typed === undefined || fault !== undefined}
            loading={save.isPending}
            data-testid="schedule-save"
            onClick={() => save.mutate()}
          >
            {t('schedule.save')}
          </Button>
        </div>
      )}
      <ScheduleFacts schedule={schedule} onBatch={onBatch} />
    </div>
  )
}
