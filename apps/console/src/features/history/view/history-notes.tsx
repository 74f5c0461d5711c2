import { InfoCircleOutlined, WarningOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { toTrust } from '../../../shared/devices/device-trust.ts'
import { TrustBadge } from '../../../shared/devices/trust-badge.tsx'
import { toWholeAddress } from '../../../shared/format/address.ts'
import type { StateLookup } from '../../../shared/live/states-by-id.ts'
import { Badge } from '../../../shared/ui/badge.tsx'
import type { HistoryLevel } from '../curves/history-range.ts'
import { type Curve, hasNoPoints } from '../curves/history-series.ts'
import text from '../text.module.css'
import styles from './history.module.css'

interface HistoryNotesProps {
  readonly devices: readonly Device[]
  readonly states: StateLookup
  /** How many of the chosen devices do not exist for this user. */
  readonly missing: number
  readonly toName: (deviceId: number) => string
  /** Unix ms. */
  readonly now: number
  /** Marked commands, and all commands of the range. */
  readonly marked: number
  readonly commandTotal: number
  readonly isDownsampled: boolean
  readonly level: HistoryLevel
  readonly children: ReactNode
}

/** The notes above the curves or the table: the devices with their trust, and what is left out. */
export function HistoryNotes(props: HistoryNotesProps) {
  const { devices, states, missing, toName, now, marked, commandTotal, isDownsampled, level, children } =
    props
  const { t } = useTranslation('history')
  return (
    <div className={styles.legend}>
      {devices.map((device) => {
        const state = states.get(device.id)
        return (
          <span key={device.id} title={toWholeAddress(device.nestaddr)}>
            {toName(device.id)} <TrustBadge trust={toTrust(device, state, now)} state={state} />
          </span>
        )
      })}
      {missing > 0 && (
        <Badge tone="caution" icon={<InfoCircleOutlined />}>
          {t('history.unknown', { count: missing })}
        </Badge>
      )}
      {(commandTotal > 0 || devices.some(({ kind }) => kind === 'valve')) && (
        <span className={text.hint}>
          {commandTotal > marked
            ? t('history.commandsCut', { count: commandTotal, marked })
            : t('history.commands', { count: marked })}
        </span>
      )}
      {isDownsampled && (
        <Badge tone="muted" icon={<InfoCircleOutlined />}>
          {t('history.downsampled')}
        </Badge>
      )}
      {level !== 'raw' && (
        <Badge tone="muted" icon={<InfoCircleOutlined />}>
          {t(`history.bucketed.${level}`)}
        </Badge>
      )}
      {children}
    </div>
  )
}

/** Explains why there are no curves of the year before, if there are none. */
export function YearBefore({ query }: { readonly query: UseQueryResult<Curve[]> }) {
  const { t } = useTranslation('history')
  if (query.isPending) return <span className={text.hint}>{t('history.compare.loading')}</span>
  if (query.isError) {
    return (
      <Badge tone="alarm" icon={<WarningOutlined />}>
        {t('history.compare.failed', { reason: toFailureText(query.error) })}
      </Badge>
    )
  }
  if (!hasNoPoints(query.data)) return null
  return (
    <Badge tone="caution" icon={<InfoCircleOutlined />}>
      {t('history.compare.none')}
    </Badge>
  )
}
