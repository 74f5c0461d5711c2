import { type ExerciseStep, exerciseSteps } from '@isotherm/contract/endpoints/control/valve-exercises'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { ABSENT } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import { OutcomeBadge } from './exercise-badges.tsx'
import type { ReportRow } from './exercise-queries.ts'

/** Columns of the report, for the table and the file. */
export function useReportColumns(): readonly RecordColumn<ReportRow>[] {
  const { t } = useTranslation(['valves', 'common'])
  const format = useFormat()
  const toStep = ({ steps }: ReportRow, step: ExerciseStep): string => {
    const sent = steps[step]
    return sent
      ? `${format.number(sent.openingPct, 0)}% · ${t(`commandState.${sent.state}`, { ns: 'common' })}`
      : ABSENT
  }
  const toResult = ({ outcome, leftOut }: ReportRow): string =>
    [t(`exercise.outcome.${outcome}`), ...(leftOut ? [t(`exercise.leftOut.${leftOut}`)] : [])].join(' · ')
  return [
    {
      key: 'valve',
      title: t('log.valve'),
      widthPx: 220,
      value: ({ nestaddr }) => toWholeAddress(nestaddr),
      render: ({ nestaddr, name }) => (
        <span title={`${toWholeAddress(nestaddr)} / ${name}`}>{toCompactAddress(nestaddr)}</span>
      ),
    },
    {
      key: 'serial',
      title: t('exercise.serial'),
      widthPx: 140,
      value: (row) => row.imei,
      render: (row) => row.imei,
    },
    {
      key: 'result',
      title: t('exercise.result'),
      widthPx: 150,
      value: toResult,
      render: (row) => (
        <span title={toResult(row)}>
          <OutcomeBadge outcome={row.outcome} />
        </span>
      ),
    },
    ...exerciseSteps.map((step) => ({
      key: step,
      title: t(`exercise.column.${step}`),
      widthPx: 140,
      value: (row: ReportRow) => toStep(row, step),
      render: (row: ReportRow) => toStep(row, step),
    })),
  ]
}
