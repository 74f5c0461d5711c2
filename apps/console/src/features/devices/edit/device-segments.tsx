import type { Device } from '@isotherm/contract/devices'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import styles from './edit.module.css'
import { segmentsQuery } from './segments-query.ts'

interface DeviceSegmentsProps {
  readonly device: Device
  readonly onOpen: (id: number) => void
}

/** The devices that replaced each other at a place; nothing if the device neither replaced one nor was replaced. */
export function DeviceSegments({ device, onOpen }: DeviceSegmentsProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const query = useQuery(segmentsQuery(device))
  if (query.data?.length === 1) return null
  return (
    <section aria-label={t('edit.segments')} data-testid="device-segments">
      <h3>{t('edit.segments')}</h3>
      <Answer query={query}>
        {(segments) => (
          <ol className={styles.segments}>
            {segments.map(({ id, imei, model, retiredAt }) => (
              <li key={id}>
                {id === device.id ? (
                  <strong>{imei}</strong>
                ) : (
                  <Button type="link" size="small" onClick={() => onOpen(id)}>
                    {imei}
                  </Button>
                )}{' '}
                {model} ·{' '}
                {retiredAt === undefined
                  ? t('edit.sinceThen')
                  : t('edit.until', { instant: format.instant(retiredAt) })}
              </li>
            ))}
          </ol>
        )}
      </Answer>
    </section>
  )
}
