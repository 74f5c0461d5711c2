import type { MeterRow } from '@isotherm/contract/endpoints/monitoring/meters'
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { DeviceFindings } from '../../shared/devices/device-findings.tsx'
import { toWholeAddress } from '../../shared/format/address.ts'
import { SideDrawer } from '../../shared/ui/side-drawer.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shared/ui/states.tsx'
import { CourseBars } from './course-bars.tsx'
import type { HeatUnit } from './heat-unit.ts'
import { type CourseLevel, courseLevels, courseQuery } from './meter-query.ts'
import styles from './meters.module.css'
import { useHeatText } from './use-heat-text.ts'

const WIDTH_PX = 560

interface MeterDrawerProps {
  readonly row: MeterRow | undefined
  readonly unit: HeatUnit
  readonly level: CourseLevel
  readonly dates: { readonly from: string; readonly to: string }
  readonly onLevel: (level: CourseLevel) => void
  readonly onClose: () => void
}

/** Consumption of the meter of a place, segments of its register, and why its values are doubted. */
export function MeterDrawer({ row, onClose, ...view }: MeterDrawerProps) {
  const { t } = useTranslation('meters')
  return (
    <SideDrawer
      isWanted={row !== undefined}
      title={row && toWholeAddress(row.nestaddr)}
      widthPx={WIDTH_PX}
      onClose={onClose}
    >
      {row?.meter ? (
        <Course key={row.meter.deviceId} meter={row.meter} {...view} />
      ) : (
        <EmptyState title={t('noMeter')} />
      )}
    </SideDrawer>
  )
}

interface CourseProps extends Omit<MeterDrawerProps, 'row' | 'onClose'> {
  readonly meter: NonNullable<MeterRow['meter']>
}

function Course({ meter, unit, level, dates, onLevel }: CourseProps) {
  const { t } = useTranslation('meters')
  const text = useHeatText(unit)
  const course = useQuery(courseQuery({ deviceId: meter.deviceId, level, ...dates }))
  if (course.isError) return <ErrorState error={course.error} onRetry={() => course.refetch()} />
  if (!course.data) return <LoadingState />
  const { buckets, segments } = course.data
  return (
    <div className={styles.drawer} data-testid="meter-drawer">
      <p className={styles.none}>
        {meter.serial} ·{' '}
        {t('summary.range', { ...dates, days: buckets.reduce((sum, { days }) => sum + days, 0) })}
      </p>
      <Segmented<CourseLevel>
        aria-label={t('course.label')}
        value={level}
        options={courseLevels.map((value) => ({ value, label: t(`course.${value}`) }))}
        onChange={onLevel}
      />
      <CourseBars buckets={buckets} unit={unit} label={t('drawer.heat')} />
      {buckets.some(({ estimatedKwh }) => estimatedKwh > 0) && (
        <p className={styles.none}>{t('drawer.legend')}</p>
      )}
      {level !== 'day' && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('drawer.start')}</th>
              <th scope="col">
                {t('drawer.heat')} ({unit})
              </th>
              <th scope="col">
                {t('drawer.estimated')} ({unit})
              </th>
            </tr>
          </thead>
          <tbody>
            {buckets.map((bucket) => (
              <tr key={bucket.start}>
                <th scope="row">{bucket.start}</th>
                <td>{text.value(bucket.heatKwh)}</td>
                <td>{bucket.estimatedKwh > 0 ? text.value(bucket.estimatedKwh) : ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3>{t('drawer.segments')}</h3>
      <ul className={styles.segments}>
        {segments.map((segment) => (
          <li key={`${segment.begins} ${segment.from} ${segment.firstKwh}`} data-begins={segment.begins}>
            <strong>{t(`drawer.begins.${segment.begins}`)}</strong>
            <span>
              {segment.from} – {segment.to}: {text.value(segment.firstKwh)} → {text.heat(segment.lastKwh)}
            </span>
          </li>
        ))}
      </ul>
      <DeviceFindings deviceId={meter.deviceId} />
    </div>
  )
}
