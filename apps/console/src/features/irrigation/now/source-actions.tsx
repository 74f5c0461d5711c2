import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { Button, Dropdown, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from '../irrigation.module.css'
import { irrigationCalls, useIrrigationChange } from '../queries.ts'

const delays = [24, 48, 168] as const

/** Rain delay and emergency stop of a source. */
export function SourceActions({ source }: { readonly source: IrrigationSource }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const stop = useIrrigationChange(irrigationCalls.stop)
  const delay = useIrrigationChange(irrigationCalls.delay)
  if (!source.abilities.includes('run')) return null
  const sourceId = source.id
  const { pausedUntil } = source
  const isDelayed = pausedUntil !== undefined && pausedUntil > Date.now()
  const count = new Set(source.groups.flatMap(({ valves }) => valves.map(({ deviceId }) => deviceId))).size
  return (
    <span className={styles.line}>
      {isDelayed ? (
        <>
          <small>{t('delayed', { until: format.moment(pausedUntil, source.timeZone) })}</small>
          <Button
            size="small"
            data-testid="irrigation-delay-end"
            onClick={() => delay.mutate({ sourceId, reason: '' })}
          >
            {t('delayEnd')}
          </Button>
        </>
      ) : (
        <Dropdown
          trigger={['click']}
          menu={{
            items: delays.map((hours) => ({
              key: String(hours),
              label: t(`delayFor.h${hours}`),
              onClick: () =>
                delay.mutate({ sourceId, until: Date.now() + hours * HOUR_MS, reason: t('delay') }),
            })),
          }}
        >
          <Button size="small" data-testid="irrigation-delay">
            {t('delay')}
          </Button>
        </Dropdown>
      )}
      <Popconfirm
        title={t('stopAllAsk')}
        description={t('stopAllMeans', { source: source.nestaddr, count })}
        okText={t('stopAll')}
        cancelText={t('cancel')}
        okButtonProps={{ danger: true }}
        onConfirm={() => stop.mutate({ sourceId })}
      >
        <Button size="small" danger type="primary" loading={stop.isPending} data-testid="irrigation-stop-all">
          {t('stopAll')}
        </Button>
      </Popconfirm>
    </span>
  )
}
