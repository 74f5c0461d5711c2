import { CheckCircleOutlined, ClockCircleOutlined, ExclamationCircleOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import { getDataHisFromDevs } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { isReportedBy, metricNames } from '@isotherm/contract/metrics'
import { DAY_MS, SECOND_MS } from '@isotherm/kernel/durations'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { useMaySeeFindings } from '../../../shared/devices/device-findings.tsx'
import { findingsQuery } from '../../../shared/devices/findings-query.ts'
import { withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { useMayCall } from '../../../shared/session/may-call.ts'
import { Badge } from '../../../shared/ui/badge.tsx'
import styles from './first-readings.module.css'
import { type FirstProblem, judgeFirstReadings, NEW_MS, toClockOffset } from './judge-first-readings.ts'

/** Maximum number of metrics of one call. */
const MAX_METRICS = 16
/** Points of one metric in a day, all of them: a reading every five seconds. */
const MAX_POINTS = 17_280
/** Fewest points that a call may ask for. */
const FEW_POINTS = 10
/** A device that was silent for longer is new again. */
const BEFORE_MS = 14 * DAY_MS
/** A person who has just installed the device waits for its readings. */
const REFRESH_MS = 15 * SECOND_MS

function useProblemText(): (problem: FirstProblem) => string {
  const { t } = useTranslation('devices')
  const format = useFormat()
  return (problem) => {
    switch (problem.name) {
      case 'missing':
      case 'suspect':
        return t(`firstReadings.${problem.name}`, {
          metrics: problem.metrics.map(format.metricName).join(t('registry.comma')),
        })
      case 'swapped':
        return t('firstReadings.swapped', { excess: withUnit(format.number(problem.excessK, 1), 'K') })
      case 'no-flow':
        return t('firstReadings.noFlow')
      case 'clock': {
        const { unit, value } = toClockOffset(problem.offsetS)
        return t(`firstReadings.clock.${unit}`, { value: format.number(value, 0) })
      }
    }
  }
}

/**
 * Judges the readings of a device that is new; nothing for one that has reported for longer, and without permission.
 */
export function FirstReadings({ device: { id, kind } }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const toText = useProblemText()
  const maySeeReadings = useMayCall(getDataHisFromDevs)
  const maySeeFindings = useMaySeeFindings()
  const findings = useQuery({ ...findingsQuery(id), enabled: maySeeFindings })
  const readings = useQuery({
    queryKey: ['devices', 'first-readings', id],
    queryFn: async ({ signal }) => {
      const now = readServerNow()
      const metrics = metricNames.filter((name) => isReportedBy(name, kind)).slice(0, MAX_METRICS)
      const read = async (from: number, to: number, maxPoints: number) =>
        (
          await call(
            getDataHisFromDevs,
            { deviceIds: [id], metrics, from, to, maxPoints },
            { signal, quiet: true },
          )
        ).series
      const before = await read(now - BEFORE_MS, now - NEW_MS, FEW_POINTS)
      if (before.some(({ points }) => points.some(([ts]) => ts < now - NEW_MS))) return null
      return { series: await read(now - NEW_MS, now, MAX_POINTS), now }
    },
    // A concentrator has few readings of its own, or none.
    enabled: maySeeReadings && kind !== 'concentrator',
    refetchInterval: ({ state }) => (state.data === null ? false : REFRESH_MS),
  })
  if (!readings.data) return null
  const { series, now } = readings.data
  const verdict = judgeFirstReadings({ kind, series, findings: findings.data?.datalist ?? [] }, now)
  if (!verdict) return null
  const { readings: count, problems } = verdict
  return (
    <section aria-label={t('firstReadings.title')} data-testid="first-readings">
      <h3>{t('firstReadings.title')}</h3>
      <ul className={styles.problems}>
        {count === 0 && (
          <li>
            <Badge tone="muted" icon={<ClockCircleOutlined />}>
              {t('firstReadings.none')}
            </Badge>
          </li>
        )}
        {count > 0 && problems.length === 0 && (
          <li>
            <Badge tone="good" icon={<CheckCircleOutlined />}>
              {t('firstReadings.plausible', { count })}
            </Badge>
          </li>
        )}
        {problems.map((problem) => (
          <li key={problem.name}>
            <Badge tone="caution" icon={<ExclamationCircleOutlined />}>
              {toText(problem)}
            </Badge>
          </li>
        ))}
      </ul>
    </section>
  )
}
