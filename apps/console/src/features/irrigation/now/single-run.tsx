import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { Button, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import styles from '../irrigation.module.css'
import { useIrrigationText } from '../irrigation-text.ts'
import { irrigationCalls, useIrrigationChange } from '../queries.ts'

const PROPOSED_MIN = 10
/** 12 hours. */
const MAX_MIN = 720

/** Starts a single timed run of a group: place, time and water are shown before. */
export function SingleRun({ source }: { readonly source: IrrigationSource }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const text = useIrrigationText()
  const [groupId, setGroupId] = useState<number>()
  const [minutes, setMinutes] = useState(PROPOSED_MIN)
  const group = source.groups.find(({ id }) => id === groupId)
  const start = useIrrigationChange(irrigationCalls.start, (changed) => {
    const name = group?.name ?? ''
    const run = changed.runs.findLast((one) => one.programId === undefined && one.name === name)
    const waiting = run && text.waiting(run, changed, Date.now())
    showNotice(
      'success',
      waiting ? t('run.queued', { group: name, waiting }) : t('run.started', { group: name, minutes }),
    )
  })
  if (!source.abilities.includes('run')) return <p className={styles.hint}>{t('run.watchOnly')}</p>
  const flowM3H = group?.valves.reduce((sum, valve) => sum + valve.flowM3H, 0) ?? 0
  return (
    <div className={styles.stack} data-testid="single-run">
      <p className={styles.hint}>{t('run.means')}</p>
      <div className={styles.line}>
        <Select<number>
          aria-label={t('run.choose')}
          placeholder={t('run.choose')}
          data-testid="single-run-group"
          style={{ minWidth: 200 }}
          options={source.groups.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setGroupId}
          {...(groupId !== undefined && { value: groupId })}
        />
        <InputNumber
          aria-label={t('run.minutes')}
          suffix={t('minutes', { value: '' })}
          min={1}
          max={MAX_MIN}
          precision={0}
          value={minutes}
          data-testid="single-run-minutes"
          onChange={(value) => setMinutes(value ?? PROPOSED_MIN)}
        />
        <Button
          type="primary"
          disabled={groupId === undefined}
          loading={start.isPending}
          data-testid="single-run-start"
          onClick={() => groupId !== undefined && start.mutate({ groupId, runS: minutes * 60 })}
        >
          {t('run.start')}
        </Button>
      </div>
      {group && (
        <small>
          {source.nestaddr.replaceAll(',', ' / ')} ·{' '}
          {group.valves.map(({ deviceName }) => deviceName).join(' · ')} ·{' '}
          {t('m3', { value: format.number((flowM3H * minutes) / 60, 1) })}
        </small>
      )}
    </div>
  )
}
