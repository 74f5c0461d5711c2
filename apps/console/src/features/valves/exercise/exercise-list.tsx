import type { ValveExercise } from '@isotherm/contract/endpoints/control/valve-exercises'
import type { NodeKey } from '@isotherm/contract/tree'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CardFoot, CardHead } from '../lists/card-lines.tsx'
import { useActorColumns } from '../lists/list-columns.tsx'
import { PagedTable } from '../lists/paged-table.tsx'
import text from '../lists/text.module.css'
import styles from './exercise.module.css'
import { ExerciseBadge } from './exercise-badges.tsx'
import { EXERCISE_PAGE_SIZE, exerciseListQuery } from './exercise-queries.ts'
import { ExerciseReport } from './exercise-report.tsx'
import { StartExercise } from './start-exercise.tsx'
import { useCountsText } from './use-counts-text.ts'

interface ExerciseListProps {
  readonly nodes: readonly NodeKey[]
  readonly page: number
  readonly onPage: (page: number) => void
}

const WIDTH_PX = 1_040

/** Exercises of the valves below the selected nodes, newest first; starts a new one and opens reports. */
export function ExerciseList({ nodes, page, onPage }: ExerciseListProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const toCounts = useCountsText()
  const actorColumns = useActorColumns<ValveExercise>()
  const [openId, setOpenId] = useState<number>()
  const list = useQuery({ ...exerciseListQuery(nodes, page), placeholderData: keepPreviousData })
  const open = list.data?.datalist.find(({ id }) => id === openId)
  const toLink = ({ id, createdAt }: ValveExercise) => (
    <Button
      className={styles.link ?? ''}
      type="link"
      size="small"
      data-testid={`open-exercise-${id}`}
      onClick={() => setOpenId(id)}
    >
      {format.instant(createdAt)}
    </Button>
  )
  const columns: TableColumnsType<ValveExercise> = [
    { title: t('log.time'), width: 168, key: 'time', render: (_, exercise) => toLink(exercise) },
    {
      title: t('exercise.progress'),
      width: 220,
      key: 'state',
      render: (_, exercise) => <ExerciseBadge exercise={exercise} />,
    },
    { title: t('exercise.result'), key: 'result', render: (_, exercise) => toCounts(exercise) },
    ...actorColumns,
  ]
  return (
    <>
      <div className={styles.head}>
        <StartExercise nodes={nodes} onStarted={setOpenId} />
        <span className={text.hint}>{t('exercise.means')}</span>
      </div>
      <PagedTable
        rows={list}
        empty={{ title: t('exercise.none') }}
        columns={columns}
        widthPx={WIDTH_PX}
        toCard={(exercise) => (
          <>
            <CardHead>
              {toLink(exercise)}
              <ExerciseBadge exercise={exercise} />
            </CardHead>
            <p className={text.hint}>{toCounts(exercise)}</p>
            <CardFoot parts={[exercise.actor, exercise.reason]} />
          </>
        )}
        testId="exercise-list"
        pageSize={EXERCISE_PAGE_SIZE}
        page={page}
        onPage={onPage}
      />
      <ExerciseReport exercise={open} onClose={() => setOpenId(undefined)} />
    </>
  )
}
