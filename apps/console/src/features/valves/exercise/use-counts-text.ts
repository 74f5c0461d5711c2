import { exerciseOutcome, type ValveExercise } from '@isotherm/contract/endpoints/control/valve-exercises'
import { useTranslation } from 'react-i18next'

/** Number of valves by result, in words. */
export function useCountsText(): (exercise: ValveExercise) => string {
  const { t } = useTranslation('valves')
  return ({ counts }) =>
    exerciseOutcome.options
      .flatMap((outcome) =>
        counts[outcome] === undefined ? [] : `${t(`exercise.outcome.${outcome}`)} ${counts[outcome]}`,
      )
      .join(' · ')
}
