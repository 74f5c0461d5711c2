import {
  type AlarmKind,
  type AlarmSettings,
  alarmKindDefinition,
} from '@isotherm/contract/alarms/alarm-kinds'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ABSENT } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { toValueText } from '../parts/alarm-value.ts'
import { useDuration } from '../parts/use-duration.ts'

/** A rule as text: raise condition, clear condition, and its season and hours. */
export interface RuleTexts {
  readonly raise: (kind: AlarmKind, settings: AlarmSettings) => string
  readonly clear: (kind: AlarmKind, settings: AlarmSettings) => string
  /** Empty for a rule without season and hours. */
  readonly when: (settings: Pick<AlarmSettings, 'season' | 'hours'>) => string
}

export function useRuleText(): RuleTexts {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  const toDuration = useDuration()
  return useMemo(() => {
    const limitOf = (kind: AlarmKind, limit: number | null) =>
      toValueText(kind, limit ?? undefined, format) ?? ABSENT
    const toCondition = (kind: AlarmKind, raiseAt: number | null): string => {
      const { source } = alarmKindDefinition(kind)
      const limit = limitOf(kind, raiseAt)
      if (source.from === 'metric')
        return t(`say.${source.when}`, { what: format.metricName(source.metric), limit })
      if (source.from === 'gap') return t('say.gap', { limit })
      if (source.from === 'stopped') return t(`say.stopped.${source.what}`)
      return source.from === 'subtree' ? t('say.subtree', { limit }) : t(`say.${source.from}`)
    }
    const toGood = (kind: AlarmKind, clearAt: number | null): string => {
      if (clearAt === null) return t('say.clearOtherwise')
      const { when } = alarmKindDefinition(kind).source
      return t(when === 'above' ? 'say.clearBelow' : 'say.clearAbove', { limit: limitOf(kind, clearAt) })
    }
    return {
      raise(kind, { raiseAt, raiseAfterS }) {
        const condition = toCondition(kind, raiseAt)
        if (raiseAfterS === 0) return t('say.raiseNow', { condition })
        return t('say.raiseAfter', { condition, delay: toDuration(raiseAfterS) })
      },
      clear(kind, { clearAt, clearAfterS }) {
        const condition = toGood(kind, clearAt)
        if (clearAfterS === 0) return t('say.clearNow', { condition })
        return t('say.clearAfter', { condition, delay: toDuration(clearAfterS) })
      },
      when({ season, hours }) {
        const parts = [
          ...(season ? [t('say.season', season)] : []),
          ...(hours ? [t('say.hours', hours)] : []),
        ]
        return parts.join(t('say.join'))
      },
    }
  }, [t, format, toDuration])
}
