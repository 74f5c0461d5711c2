import type { AlarmKind } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmLogEntry } from '@isotherm/contract/alarms/alarms'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EventLine, EventList } from '../../../shared/ui/event-list.tsx'
import { suppressedQuery, timelineQuery } from '../calls/alarm-queries.ts'
import { toDetailText } from '../log/log-detail.ts'
import { AlarmPlace } from '../parts/alarm-parts.tsx'
import styles from '../parts/alarms.module.css'
import detail from './detail.module.css'

const tones: Readonly<Partial<Record<AlarmLogEntry['event'], 'good' | 'alarm'>>> = {
  raised: 'alarm',
  returned: 'alarm',
  cleared: 'good',
}

/** The log entries of an alarm, newest first. */
export function Timeline({ id, kind }: { readonly id: number; readonly kind: AlarmKind }) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  const log = useQuery(timelineQuery(id))
  const toText = (entry: AlarmLogEntry) => toDetailText({ ...entry, kind }, format)
  return (
    <section data-testid="alarm-timeline">
      <h4>{t('detail.timeline')}</h4>
      <Answer query={log}>
        {({ datalist, total }) => (
          <>
            <EventList>
              {datalist.map((entry) => (
                <EventLine
                  key={entry.id}
                  at={entry.at}
                  name={t(`event.${entry.event}`)}
                  by={entry.account || t('log.system')}
                  tone={tones[entry.event]}
                >
                  {entry.detail !== '' && <span>{toText(entry)}</span>}
                </EventLine>
              ))}
            </EventList>
            <More count={total - datalist.length} />
          </>
        )}
      </Answer>
    </section>
  )
}

interface SuppressedAlarmsProps {
  readonly id: number
  readonly onAlarm: (id: number) => void
}

/** The alarms that an alarm suppresses because it causes them. */
export function SuppressedAlarms({ id, onAlarm }: SuppressedAlarmsProps) {
  const { t } = useTranslation('alarms')
  const suppressed = useQuery(suppressedQuery(id))
  return (
    <section>
      <h4>{t('detail.caused')}</h4>
      <Answer query={suppressed}>
        {({ datalist, total }) => (
          <>
            <ul className={detail.suppressed}>
              {datalist.map((alarm) => (
                <li key={alarm.id}>
                  <button type="button" className={`bare ${styles.link}`} onClick={() => onAlarm(alarm.id)}>
                    {t(`kind.${alarm.kind}`)} <AlarmPlace {...alarm} />
                  </button>
                </li>
              ))}
            </ul>
            <More count={total - datalist.length} />
          </>
        )}
      </Answer>
    </section>
  )
}

/** Number of entries that are not listed. */
function More({ count }: { readonly count: number }) {
  const { t } = useTranslation('alarms')
  return count > 0 ? <p className={styles.hint}>{t('detail.more', { count })}</p> : null
}
