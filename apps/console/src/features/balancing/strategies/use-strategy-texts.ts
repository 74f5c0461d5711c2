import type {
  Strategy,
  StrategyIndex,
  StrategyOutcome,
  StrategyPlan,
  SupplyCheck,
  SupplyRules,
} from '@isotherm/contract/balancing/strategies'
import { LEGAL_ROOM_C } from '@isotherm/contract/metrics'
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
  /** Text of a decision on the supply temperature, with what it is based on. */
  readonly supply: (check: SupplyCheck) => string
  /** Short text of the rules for the supply temperature. */
  readonly supplyRules: (rules: SupplyRules) => string
  /** Time of the next action; empty unless running. */
  readonly next: (strategy: Pick<Strategy, 'plan' | 'nextCheckAt' | 'timeZone'>) => string
}

/** Error codes whose text replaces the text of the outcome. */
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
    const indexValue = ({ name }: StrategyIndex, value: number) =>
      name === 'sigmaReturnK' || name === 'sigmaRoomK'
        ? withUnit(format.number(value, 2), 'K')
        : withUnit(format.number(100 * value, 1), '%')
    const index = (of: StrategyIndex) => {
      const texts = { name: t(`strategy.index.${of.name}`), value: indexValue(of, of.value) }
      return of.limit === undefined
        ? t('strategy.index.text', texts)
        : t('strategy.index.limited', { ...texts, limit: indexValue(of, of.limit) })
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
    const kelvin = (value: number | undefined) => format.metric('supply.offset', value)
    const head = (value: number | undefined) => format.metric('pump.target', value)
    const supplyAction = ({ kind, fromK, toK, changeK, fromKpa, toKpa }: SupplyCheck) => {
      if (kind === 'hold') return ''
      if (toK === undefined && toKpa !== undefined)
        return t('strategy.supply.kind.head', { from: head(fromKpa), to: head(toKpa) })
      if (kind === 'advise') return t('strategy.supply.kind.advise', { change: kelvin(changeK) })
      return t(`strategy.supply.kind.${kind}`, { from: kelvin(fromK), to: kelvin(toK) })
    }
    const supplyReason = ({ reason, code, params = {} }: SupplyCheck) =>
      code === undefined
        ? t(`strategy.supply.reason.${reason}`)
        : campaign.abort({ members: [] }, { kind: 'refused', code, params })
    const supplyRooms = ({ measuredRooms = 0, coldShare = 0, lowestC }: SupplyCheck) =>
      measuredRooms === 0
        ? ''
        : t('strategy.supply.rooms', {
            rooms: measuredRooms,
            lowest: format.metric('temp.room', lowestC),
            cold: withUnit(format.number(100 * coldShare, 1), '%'),
          })
    return {
      index,
      outcome: (outcome) => join(event(outcome), outcome.index),
      supply: (check) =>
        [supplyAction(check), supplyReason(check), supplyRooms(check)].filter(Boolean).join(' · '),
      supplyRules: ({ comfortC, coldMarginK, maxColdShare, lowerK, minMeasuredShare, minHeadShare }) =>
        [
          t('strategy.supply.rules', {
            comfort: withUnit(format.number(comfortC, 1), '°C'),
            cold: withUnit(format.number(LEGAL_ROOM_C + coldMarginK, 1), '°C'),
            share: withUnit(format.number(100 * maxColdShare, 1), '%'),
            step: withUnit(format.number(lowerK, 1), 'K'),
            measured: withUnit(format.number(100 * minMeasuredShare, 0), '%'),
          }),
          minHeadShare !== undefined &&
            t('strategy.supply.rulesHead', { head: withUnit(format.number(100 * minHeadShare, 0), '%') }),
        ]
          .filter(Boolean)
          .join(' · '),
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
