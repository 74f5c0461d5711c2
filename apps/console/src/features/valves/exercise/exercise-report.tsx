import {
  cancelValveExercise,
  type ExerciseOutcome,
  type ExerciseStep,
  exerciseOutcome,
  exerciseSteps,
  type ValveExercise,
} from '@isotherm/contract/endpoints/control/valve-exercises'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { ABSENT } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { ExportButton } from '../../../shared/records/export-button.tsx'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import { CountChips } from '../../../shared/ui/count-chips.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { CardFoot, CardHead } from '../lists/card-lines.tsx'
import { PagedTable } from '../lists/paged-table.tsx'
import styles from './exercise.module.css'
import { ExerciseBadge, OutcomeBadge } from './exercise-badges.tsx'
import {
  exercisesKey,
  loadReport,
  type ReportRow,
  reportQuery,
  VALVES_PAGE_SIZE,
} from './exercise-queries.ts'

interface ExerciseReportProps {
  /** Undefined while the drawer is closed. */
  readonly exercise: ValveExercise | undefined
  readonly onClose: () => void
}

const DRAWER_PX = 900
const WIDTH_PX = 820
const tones = { moved: 'good', stuck: 'alarm', 'no-answer': 'alarm' } as const

const toTone = (outcome: ExerciseOutcome) =>
  outcome === 'moved' || outcome === 'stuck' || outcome === 'no-answer' ? tones[outcome] : undefined

/** The report of an exercise: each valve with its result and steps, by result, and as a file. */
export function ExerciseReport({ exercise, onClose }: ExerciseReportProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  return (
    <SideDrawer
      isWanted={exercise !== undefined}
      title={exercise && t('exercise.title', { time: format.instant(exercise.createdAt) })}
      widthPx={DRAWER_PX}
      onClose={onClose}
    >
      {exercise && <Report key={exercise.id} exercise={exercise} />}
    </SideDrawer>
  )
}

/** Columns of the report, for the table and the file. */
function useReportColumns(): readonly RecordColumn<ReportRow>[] {
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

function Report({ exercise }: { readonly exercise: ValveExercise }) {
  const { id, counts, actor, reason, abilities } = exercise
  const { t } = useTranslation(['valves', 'common'])
  const client = useQueryClient()
  const columns = useReportColumns()
  const [outcome, setOutcome] = useState<ExerciseOutcome>()
  const [page, setPage] = useState(1)
  const rows = useQuery({ ...reportQuery(exercise, outcome, page), placeholderData: keepPreviousData })
  const cancelling = useMutation({
    mutationFn: () => call(cancelValveExercise, { id }),
    onSettled: () => client.invalidateQueries({ queryKey: exercisesKey }),
  })
  return (
    <>
      <div className={styles.head}>
        <ExerciseBadge exercise={exercise} />
        <span>{[actor, reason].join(' · ')}</span>
        <span className={styles.end}>
          {abilities.includes('cancel') && (
            <Popconfirm
              title={t('exercise.cancelQuestion')}
              description={t('exercise.cancelMeans')}
              okText={t('exercise.cancel')}
              okButtonProps={{ danger: true }}
              cancelText={t('form.cancel', { ns: 'common' })}
              onConfirm={() => cancelling.mutate()}
            >
              <Button danger loading={cancelling.isPending} data-testid="exercise-cancel">
                {t('exercise.cancel')}
              </Button>
            </Popconfirm>
          )}
          <ExportButton
            name={`valve-exercise-${id}`}
            columns={columns}
            isEmpty={false}
            loadRows={() => loadReport(id)}
          />
        </span>
      </div>
      {cancelling.error && <Alert type="error" showIcon title={toFailureText(cancelling.error)} />}
      <div className={styles.filter}>
        <CountChips<ExerciseOutcome>
          label={t('exercise.result')}
          chips={exerciseOutcome.options.flatMap((key) =>
            counts[key] === undefined
              ? []
              : [{ key, text: t(`exercise.outcome.${key}`), count: counts[key], tone: toTone(key) }],
          )}
          chosen={outcome}
          onChoose={(key) => {
            setOutcome(key === outcome ? undefined : key)
            setPage(1)
          }}
          testId="exercise-outcome"
        />
      </div>
      <PagedTable<ReportRow>
        rows={rows}
        empty={{ title: t('exercise.noValve') }}
        columns={columns.map(({ key, title, widthPx, render }) => ({
          key,
          title,
          width: widthPx,
          render: (_: unknown, row: ReportRow) => render(row),
        }))}
        widthPx={WIDTH_PX}
        toCard={(row) => (
          <>
            <CardHead>
              <span>{toCompactAddress(row.nestaddr)}</span>
              <OutcomeBadge outcome={row.outcome} />
            </CardHead>
            <CardFoot
              parts={[
                row.imei,
                ...(row.leftOut ? [t(`exercise.leftOut.${row.leftOut}`)] : []),
                ...columns
                  .filter(({ key }) => exerciseSteps.some((step) => step === key && row.steps[step]))
                  .map(({ title, value }) => `${title} ${value?.(row) ?? ''}`),
              ]}
            />
          </>
        )}
        testId="exercise-report"
        pageSize={VALVES_PAGE_SIZE}
        page={page}
        onPage={setPage}
      />
    </>
  )
}
