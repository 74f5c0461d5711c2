import {
  type ExerciseOutcome,
  exerciseOutcome,
  exerciseSteps,
  type ValveExercise,
} from '@isotherm/contract/endpoints/control/valve-exercises'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CountChips } from '../../../shared/ui/count-chips.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { CardFoot, CardHead } from '../lists/card-lines.tsx'
import { PagedTable } from '../lists/paged-table.tsx'
import styles from './exercise.module.css'
import { OutcomeBadge } from './exercise-badges.tsx'
import { type ReportRow, reportQuery, VALVES_PAGE_SIZE } from './exercise-queries.ts'
import { useReportColumns } from './report-columns.tsx'
import { ReportHead } from './report-head.tsx'

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

function Report({ exercise }: { readonly exercise: ValveExercise }) {
  const { counts } = exercise
  const { t } = useTranslation('valves')
  const columns = useReportColumns()
  const [outcome, setOutcome] = useState<ExerciseOutcome>()
  const [page, setPage] = useState(1)
  const rows = useQuery({ ...reportQuery(exercise, outcome, page), placeholderData: keepPreviousData })
  return (
    <>
      <ReportHead exercise={exercise} columns={columns} />
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
