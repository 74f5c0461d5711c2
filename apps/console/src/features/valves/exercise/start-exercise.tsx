import { RetweetOutlined } from '@ant-design/icons'
import { addValveExercise, exerciseLeftOut } from '@isotherm/contract/endpoints/control/valve-exercises'
import type { NodeKey } from '@isotherm/contract/tree'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { Answer } from '../../../shared/ui/answer.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { exercisePreviewQuery, exercisesKey } from './exercise-queries.ts'

interface StartExerciseProps {
  readonly nodes: readonly NodeKey[]
  readonly onStarted: (id: number) => void
}

const DRAWER_PX = 480

/** Opens the form that starts an exercise of the valves below the selected nodes, with what it would do. */
export function StartExercise({ nodes, onStarted }: StartExerciseProps) {
  const { t } = useTranslation('valves')
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button icon={<RetweetOutlined />} data-testid="exercise-start" onClick={() => setOpen(true)}>
        {t('exercise.start')}
      </Button>
      <SideDrawer isWanted={isOpen} isModal title={t('exercise.start')} widthPx={DRAWER_PX} onClose={close}>
        {isOpen && (
          <StartForm
            nodes={nodes}
            onClose={close}
            onStarted={(id) => {
              close()
              onStarted(id)
            }}
          />
        )}
      </SideDrawer>
    </>
  )
}

function StartForm({ nodes, onStarted, onClose }: StartExerciseProps & { readonly onClose: () => void }) {
  const { t } = useTranslation('valves')
  const client = useQueryClient()
  const field = useId()
  const [reason, setReason] = useState('')
  const preview = useQuery(exercisePreviewQuery(nodes))
  const adding = useMutation({
    mutationFn: () => call(addValveExercise, { nodes: [...nodes], reason: reason.trim() }),
    async onSuccess({ id }) {
      await client.invalidateQueries({ queryKey: [...exercisesKey, 'list'] })
      onStarted(id)
    },
  })
  return (
    <Answer query={preview}>
      {({ valves, leftOut, season }) => (
        <ActionForm
          submit={t('exercise.confirm')}
          isReady={reason.trim() !== '' && valves > 0 && !season.isNow}
          busy={adding.isPending}
          error={adding.error}
          testId="exercise-confirm"
          onSubmit={() => adding.mutate()}
          onCancel={onClose}
        >
          {season.isNow && (
            <Alert
              type="warning"
              showIcon
              title={t('exercise.inSeason', { first: season.first, last: season.last })}
            />
          )}
          <p data-testid="exercise-preview">{t('exercise.preview', { count: valves })}</p>
          {Object.keys(leftOut).length > 0 && (
            <>
              <p>{t('exercise.previewLeftOut')}</p>
              <ul>
                {exerciseLeftOut.options
                  .filter((why) => leftOut[why] !== undefined)
                  .map((why) => (
                    <li key={why}>
                      {t(`exercise.leftOut.${why}`)}: {leftOut[why]}
                    </li>
                  ))}
              </ul>
            </>
          )}
          <label htmlFor={field}>{t('exercise.reason')}</label>
          <Input
            id={field}
            value={reason}
            maxLength={200}
            data-testid="exercise-reason"
            onChange={({ target }) => setReason(target.value)}
          />
        </ActionForm>
      )}
    </Answer>
  )
}
