import { BranchesOutlined, MutedOutlined, RetweetOutlined, StopOutlined } from '@ant-design/icons'
import type { Alarm } from '@isotherm/contract/alarms/alarms'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { toValueText } from './alarm-value.ts'
import styles from './alarms.module.css'
import { useBalanceName } from './balance-parts.tsx'

interface AlarmProps {
  readonly alarm: Alarm
}

/** Kind of an alarm, with its occurrences and suppression. */
export function AlarmName({ alarm }: AlarmProps) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  const { kind, occurrences, suppresses = 0, silencedUntil, suppressedBy } = alarm
  return (
    <span className={styles.name}>
      <strong>{t(`kind.${kind}`)}</strong>
      {occurrences > 1 && (
        <Mark icon={<RetweetOutlined />} text={t('list.occurrences', { count: occurrences })}>
          {format.number(occurrences, 0)}
        </Mark>
      )}
      {suppresses > 0 && (
        <Mark icon={<BranchesOutlined />} text={t('list.caused', { count: suppresses })}>
          {format.number(suppresses, 0)}
        </Mark>
      )}
      {suppressedBy !== undefined && <Mark icon={<StopOutlined />} text={t('list.suppressed')} />}
      {silencedUntil !== undefined && (
        <Mark
          icon={<MutedOutlined />}
          text={t('list.silencedUntil', { instant: format.instant(silencedUntil) })}
        />
      )}
    </span>
  )
}

interface MarkProps {
  readonly icon: ReactNode
  /** Text for title and screen readers. */
  readonly text: string
  readonly children?: ReactNode
}

/** An icon with a number; the text is in the title and for screen readers. */
function Mark({ icon, text, children }: MarkProps) {
  return (
    <span className={styles.mark} role="img" aria-label={text} title={text}>
      {icon}
      {children}
    </span>
  )
}

interface PlaceProps extends Pick<Alarm, 'kind' | 'nestaddr' | 'deviceName' | 'balance'> {
  /** True: the whole address, cut off at its beginning. False: the last names only. */
  readonly whole?: boolean
}

/** Address and device of an alarm, or its strategy or campaign. The title has the whole address. */
export function AlarmPlace({ kind, nestaddr, deviceName, balance, whole = false }: PlaceProps) {
  const originator = useBalanceName({ kind, balance }) ?? deviceName
  const address = toWholeAddress(nestaddr)
  return (
    <span className={styles.place} title={address}>
      <bdi>
        {whole ? address : toCompactAddress(nestaddr)}
        {originator !== undefined && <small>{originator}</small>}
      </bdi>
    </span>
  )
}

export function AlarmValue({ alarm: { kind, value } }: AlarmProps) {
  const format = useFormat()
  return <span className="num">{toValueText(kind, value, format) ?? ''}</span>
}

/** The assignee, else the user who acknowledged; and the comment. */
export function AlarmNote({ alarm: { assignee, acknowledgedBy, comment } }: AlarmProps) {
  const note = [assignee ?? acknowledgedBy ?? '', comment].filter(Boolean).join(' · ')
  return <span title={note}>{note}</span>
}
