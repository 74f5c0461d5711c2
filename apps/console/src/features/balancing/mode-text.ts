import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'

/** Text of a balancing mode with its requested value. */
export function useModeText(): (mode: BalanceMode) => string {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  return useCallback(
    (mode) => {
      switch (mode.kind) {
        case 'temperature':
          return t(`mode.${mode.method ?? mode.target}`)
        case 'energy':
          return t('mode.energy', { heat: format.number(mode.heatWM2, 1) })
        case 'sequence':
          return t('mode.sequence', { count: mode.groups.length })
        case 'flow':
          return mode.flowKgHM2 === undefined
            ? t('mode.flow')
            : t('mode.flowGiven', { flow: format.number(mode.flowKgHM2, 2) })
      }
    },
    [t, format],
  )
}
