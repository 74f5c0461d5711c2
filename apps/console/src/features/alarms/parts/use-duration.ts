import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { toDurationParts } from './duration.ts'

/** Formats a duration in its two largest units. */
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
