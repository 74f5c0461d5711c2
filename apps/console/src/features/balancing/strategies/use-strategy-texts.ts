import type {
  Strategy,
  StrategyIndex,
  StrategyOutcome,
  StrategyPlan,
} from '@isotherm/contract/balancing/strategies'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useCampaignTexts } from '../campaign/parts/use-texts.ts'

interface StrategyTexts {
  /** Short text of its target. */
  readonly plan: (plan: StrategyPlan) => string
  readonly index: (index: StrategyIndex) => string
  /** Text of the result of a check or campaign, with its index. */
  readonly outcome: (outcome: StrategyOutcome) => string
  /** The text of `outcome` without the part that the event name already states. */
  readonly remark: (outcome: StrategyOutcome) => string
  /** Time of the next action; empty unless running. */
  readonly next: (strategy: Pick<Strategy, 'plan' | 'nextCheckAt' | 'timeZone'>) => string
}

/** Codes with a text of their own, in place of the one of the outcome. */
const codeTexts = {
  'balance.no-weather': 'no-weather',
  'balance.not-identified': 'not-identified',
  'balance.rooms-moving': 'rooms-moving',
} as const

const hasText = (code: string): code is keyof typeof codeTexts => Object.hasOwn(codeTexts, code)

/** Whether the event name already states the outcome. */
const isNamed = ({ kind }: StrategyOutcome): boolean => kind === 'begun' || kind === 'done'

/** Texts of strategies in the current language. */
export function useStrategyTexts(): StrategyTexts {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const campaign = useCampaignTexts()
  return useMemo(() => {
    const figure = ({ name }: StrategyIndex, value: number) =>
      name === 'sigmaReturnK' || name === 'sigmaRoomK'
        ? withUnit(format.number(value, 2), 'K')
        : withUnit(format.number(100 * value, 1), '%')
    const index = (of: StrategyIndex) => {
      const texts = { name: t(`strategy.index.${of.name}`), value: figure(of, of.value) }
      return of.limit === undefined
        ? t('strategy.index.text', texts)
        : t('strategy.index.limited', { ...texts, limit: figure(of, of.limit) })
    }
    const event = ({ kind, abort, code = '', params = {} }: StrategyOutcome) => {
      if (hasText(code)) return t(`strategy.outcome.${codeTexts[code]}`)
      if (kind === 'refused') return campaign.abort({ members: [] }, { kind, code, params })
      const what = t(`strategy.outcome.${kind}`)
      return abort === undefined
        ? what
        : t('strategy.outcome.because', { what, why: t(`strategy.abort.${abort.kind}`) })
    }
    const join = (what: string | false, by: StrategyIndex | undefined) =>
      [what, by && index(by)].filter(Boolean).join(' · ')
    return {
      index,
      outcome: (outcome) => join(event(outcome), outcome.index),
      remark: (outcome) => join(!isNamed(outcome) && event(outcome), outcome.index),
      plan(plan) {
        switch (plan.kind) {
          case 'temperature':
            return t(`mode.${plan.target}`)
          case 'energy': {
            const { cold, mild } = plan.line
            return t('mode.energy', {
              heat: `${format.number(mild.heatWM2, 0)}–${format.number(cold.heatWM2, 0)}`,
            })
          }
          case 'flow':
            return plan.flowKgHM2 === undefined
              ? t('mode.flow')
              : t('mode.flowGiven', { flow: format.number(plan.flowKgHM2, 2) })
          case 'sequence':
            return plan.groups.map(({ name }) => name).join(t('campaign.abort.join'))
        }
      },
      next({ plan, nextCheckAt, timeZone }) {
        if (nextCheckAt === undefined) return ''
        const instant = format.moment(nextCheckAt, timeZone)
        return t(plan.kind === 'sequence' ? 'strategy.nextSlot' : 'strategy.next', { instant, timeZone })
      },
    }
  }, [t, format, campaign])
}
