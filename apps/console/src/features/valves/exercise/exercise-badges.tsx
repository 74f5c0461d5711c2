import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  DisconnectOutlined,
  MinusCircleOutlined,
  StopOutlined,
  SyncOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import type {
  ExerciseOutcome,
  ExerciseState,
  ValveExercise,
} from '@isotherm/contract/endpoints/control/valve-exercises'
import { useTranslation } from 'react-i18next'
import { Badge, type BadgeLooks } from '../../../shared/ui/badge.tsx'

const states: BadgeLooks<ExerciseState> = {
  running: { tone: 'accent', icon: <SyncOutlined /> },
  cancelling: { tone: 'caution', icon: <SyncOutlined /> },
  finished: { tone: 'good', icon: <CheckCircleOutlined /> },
  cancelled: { tone: 'muted', icon: <StopOutlined /> },
  stopped: { tone: 'alarm', icon: <WarningOutlined /> },
}

const outcomes: BadgeLooks<ExerciseOutcome> = {
  pending: { tone: 'muted', icon: <ClockCircleOutlined /> },
  moved: { tone: 'good', icon: <CheckCircleOutlined /> },
  stuck: { tone: 'alarm', icon: <WarningOutlined /> },
  'no-answer': { tone: 'alarm', icon: <DisconnectOutlined /> },
  interrupted: { tone: 'caution', icon: <StopOutlined /> },
  'left-out': { tone: 'muted', icon: <MinusCircleOutlined /> },
}

/** State of an exercise; while it runs, its step; if the server stopped it, the reason. */
export function ExerciseBadge({ exercise }: { readonly exercise: ValveExercise }) {
  const { t } = useTranslation('valves')
  const { state, step, stop } = exercise
  const text = state === 'running' ? t(`exercise.step.${step}`) : t(`exercise.state.${state}`)
  return <Badge {...states[state]}>{stop ? `${text}: ${t(`exercise.stop.${stop}`)}` : text}</Badge>
}

export function OutcomeBadge({ outcome }: { readonly outcome: ExerciseOutcome }) {
  const { t } = useTranslation('valves')
  return <Badge {...outcomes[outcome]}>{t(`exercise.outcome.${outcome}`)}</Badge>
}
