import { type RoomVisit, VISIT_WITHIN_H, visitCondition } from '@isotherm/contract/rooms/room-visit'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from './visit-sheet.module.css'

/** The sheet that goes along to a measurement: conditions to tick, both readings, both signatures. */
export function VisitSheet({ visit }: { readonly visit: RoomVisit }) {
  const { t } = useTranslation('rooms')
  const format = useFormat()
  const { result } = visit
  const line = (name: string, value: string) => (
    <tr>
      <th scope="row">{name}</th>
      <td>{value}</td>
    </tr>
  )
  const labelled = (name: string, value = '') => t('labelled', { name, value })
  return (
    <article className={styles.sheet}>
      <h1>{t('visit.sheet')}</h1>
      <table>
        <tbody>
          {line(t('visit.number'), String(visit.visit))}
          {line(t('column.place'), toWholeAddress(visit.nestaddr))}
          {line(t('visit.resident'), `${visit.resident} ${visit.phone}`)}
          {line(t('visit.complaint'), visit.complaint)}
          {line(t('visit.requestedAt'), format.instant(visit.requestedAt))}
          {line(t('visit.before'), format.instant(visit.requestedAt + VISIT_WITHIN_H * HOUR_MS))}
          {line(t('visit.measuredAt'), result ? format.instant(result.measuredAt) : '')}
          {line(t('visit.measuredC'), result ? format.metric('temp.room', result.measuredC) : '')}
          {line(t('visit.sensorC'), format.metric('temp.room', visit.sensorC))}
        </tbody>
      </table>
      <h2>{t('visit.conditions')}</h2>
      <ul>
        {visitCondition.options.map((condition) => (
          <li key={condition}>
            {result?.conditions.includes(condition) ? '☑' : '☐'} {t(`visit.condition.${condition}`)}
          </li>
        ))}
      </ul>
      <p>{labelled(t('visit.remark'), result?.remark)}</p>
      <footer>
        <span>{labelled(t('visit.inspectorSigns'), result?.inspector)}</span>
        <span>{labelled(t('visit.residentSigns'))}</span>
      </footer>
    </article>
  )
}
