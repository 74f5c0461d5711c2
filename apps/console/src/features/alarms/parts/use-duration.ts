import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { toDurationParts } from './duration.ts'

/** Says how long a time is, in the units people would say it in. */
export function useDuration(): (seconds: number) => string {
  const { t } = useTranslation('alarms')
  return useCallback(
    (seconds) =>
      toDurationParts(seconds)
        .map(({ unit, count }) => t(`say.${unit}`, { count }))
        .join(' '),
    [t],
  )
}
