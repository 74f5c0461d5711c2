import { cancelValveExercise, type ValveExercise } from '@isotherm/contract/endpoints/control/valve-exercises'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { ExportButton } from '../../../shared/records/export-button.tsx'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import styles from './exercise.module.css'
import { ExerciseBadge } from './exercise-badges.tsx'
import { exercisesKey, loadReport, type ReportRow } from './exercise-queries.ts'

interface ReportHeadProps {
  readonly exercise: ValveExercise
  readonly columns: readonly RecordColumn<ReportRow>[]
}

/** State, actor and reason of an exercise; cancels it and saves its report as a file. */
export function ReportHead({ exercise, columns }: ReportHeadProps) {
  const { id, actor, reason, abilities } = exercise
  const { t } = useTranslation(['valves', 'common'])
  const client = useQueryClient()
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
    </>
  )
}
