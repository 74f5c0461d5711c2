import { BranchesOutlined, MutedOutlined, RetweetOutlined, StopOutlined } from '@ant-design/icons'
import type { Alarm } from '@isotherm/contract/alarms'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../shared/format/address.ts'
import { useFormat } from '../../shared/format/use-format.ts'
import { Badge } from '../../shared/ui/trust-badge.tsx'
import { toValueText } from './alarm-value.ts'
import styles from './alarms.module.css'

interface AlarmProps {
  readonly alarm: Alarm
}

/** What is wrong, how often it was, and what it hides or is hidden by. */
export function AlarmName({ alarm }: AlarmProps) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  const { kind, occurrences, keptBehind = 0, silencedUntil, suppressedBy } = alarm
  return (
    <span className={styles.name}>
      <strong>{t(`kind.${kind}`)}</strong>
      {occurrences > 1 && (
        <Badge tone="muted" icon={<RetweetOutlined />}>
          {t('list.occurrences', { count: occurrences })}
        </Badge>
      )}
      {keptBehind > 0 && (
        <Badge tone="accent" icon={<BranchesOutlined />} title={t('list.keptHint', { count: keptBehind })}>
          {t('list.kept', { count: keptBehind })}
        </Badge>
      )}
      {suppressedBy !== undefined && (
        <Badge tone="muted" icon={<StopOutlined />}>
          {t('list.suppressed')}
        </Badge>
      )}
      {silencedUntil !== undefined && (
        <Badge tone="muted" icon={<MutedOutlined />}>
          {t('list.silencedUntil', { instant: format.instant(silencedUntil) })}
        </Badge>
      )}
    </span>
  )
}

/** Where it is: the last names of the address and the device, the whole address in the title. */
export function AlarmPlace({ alarm: { nestaddr, deviceName } }: AlarmProps) {
  return (
    <span className={styles.place} title={toWholeAddress(nestaddr)}>
      {toCompactAddress(nestaddr)}
      {deviceName !== undefined && <small>{deviceName}</small>}
    </span>
  )
}

export function AlarmValue({ alarm: { kind, value } }: AlarmProps) {
  const format = useFormat()
  return <span className="num">{toValueText(kind, value, format) ?? ''}</span>
}

/** Who looks after it; else who said that they know. */
export const toHandler = ({ assignee, acknowledgedBy }: Alarm): string => assignee ?? acknowledgedBy ?? ''
