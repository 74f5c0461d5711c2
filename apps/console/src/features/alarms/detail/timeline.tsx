import type { AlarmKind } from '@isotherm/contract/alarm-kinds'
import type { AlarmLogEntry } from '@isotherm/contract/alarms'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EventLine, EventList } from '../../../shared/ui/event-list.tsx'
import { keptBehindQuery, timelineQuery } from '../calls/alarm-queries.ts'
import { toDetailText } from '../log/log-detail.ts'
import { AlarmPlace } from '../parts/alarm-parts.tsx'
import styles from '../parts/alarms.module.css'
import detail from './detail.module.css'

const tones: Readonly<Partial<Record<AlarmLogEntry['event'], 'good' | 'alarm'>>> = {
  raised: 'alarm',
  returned: 'alarm',
  cleared: 'good',
}

/** What happened to an alarm and who did it, newest first. */
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

interface KeptBehindProps {
  readonly id: number
  readonly onAlarm: (id: number) => void
}

/** The alarms that one hides because it causes them. */
export function KeptBehind({ id, onAlarm }: KeptBehindProps) {
  const { t } = useTranslation('alarms')
  const kept = useQuery(keptBehindQuery(id))
  return (
    <section>
      <h4>{t('detail.kept')}</h4>
      <Answer query={kept}>
        {({ datalist, total }) => (
          <>
            <ul className={detail.kept}>
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

/** How many there are beyond those listed. */
function More({ count }: { readonly count: number }) {
  const { t } = useTranslation('alarms')
  return count > 0 ? <p className={styles.hint}>{t('detail.more', { count })}</p> : null
}
