import type { SequenceGroup, StrategyPlan } from '@isotherm/contract/balancing/strategies'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { toSpanText } from '../../../shared/week/clock-text.ts'
import styles from './strategy.module.css'
import { useStrategyTexts } from './use-strategy-texts.ts'
import { useLevelText } from './week/level-format.ts'
import { WeekEditor } from './week/week-editor.tsx'

/** Parameters of a strategy. */
export function PlanFacts({ plan }: { readonly plan: StrategyPlan }) {
  const facts = useFacts(plan)
  return (
    <div className={styles.plan} data-testid="strategy-plan">
      <FactList facts={facts} className={styles.facts} />
      {plan.kind === 'sequence' &&
        plan.groups.map((group) => <GroupFacts key={group.nodes.join()} group={group} />)}
    </div>
  )
}

type Fact = readonly [name: string, value: string]

function useFacts(plan: StrategyPlan): readonly Fact[] {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const texts = useStrategyTexts()
  const percent = (share: number) => withUnit(format.number(100 * share, 0), '%')
  const flow = (value: number) => withUnit(format.number(value, 2), 'kg/(h·m²)')
  if (plan.kind === 'sequence')
    return [
      [
        t('strategy.fact.flow'),
        plan.flowKgHM2 === undefined ? t('strategy.fact.flowAsLaid') : flow(plan.flowKgHM2),
      ],
      [t('strategy.fact.frost'), withUnit(format.number(plan.frostC, 1), '°C')],
      [t('strategy.fact.groups'), format.number(plan.groups.length, 0)],
    ]
  const looks: readonly Fact[] = [
    [t('strategy.fact.every'), t('strategy.fact.everyHours', { hours: plan.everyHours })],
    [t('strategy.fact.hours'), plan.hours ? toSpanText(plan.hours) : t('strategy.fact.anyHour')],
    [t('strategy.fact.trims'), t('strategy.fact.trimsMost', { trims: plan.trims })],
    ...(plan.pump ? [[t('strategy.fact.pump'), t('strategy.fact.pumpLeft')] as const] : []),
  ]
  switch (plan.kind) {
    case 'temperature':
      return [
        [t('strategy.fact.target'), t(`start.targets.${plan.target}`)],
        [t('strategy.form.method'), t(`strategy.method.${plan.method ?? 'model'}`)],
        [t('strategy.fact.dead'), withUnit(format.number(plan.startAboveK, 1), 'K')],
        ...(plan.slowTrim ? [[t('strategy.fact.slowTrim'), t('strategy.fact.slowTrimOn')] as const] : []),
        ...looks,
      ]
    case 'energy': {
      const points = [plan.line.cold, plan.line.mild].map(({ outdoorC, heatWM2 }) =>
        t('strategy.fact.linePoint', {
          outdoor: withUnit(format.number(outdoorC, 0), '°C'),
          heat: withUnit(format.number(heatWM2, 1), 'W/m²'),
        }),
      )
      return [
        [t('strategy.fact.line'), points.join(' · ')],
        [t('strategy.fact.dead'), percent(plan.startAboveShare)],
        ...(plan.supply ? [[t('strategy.supply.fact'), texts.supplyRules(plan.supply)] as const] : []),
        ...looks,
      ]
    }
    case 'flow':
      return [
        [
          t('strategy.form.flow'),
          plan.flowKgHM2 === undefined ? t('strategy.fact.flowByArea') : flow(plan.flowKgHM2),
        ],
        [t('strategy.fact.dead'), percent(plan.startAboveShare)],
        ...looks,
      ]
  }
}

/** One group with its week. */
function GroupFacts({ group }: { readonly group: SequenceGroup }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const toLevelText = useLevelText()
  const { name, nodes, base, slots, shiftMinutes, preheat } = group
  return (
    <section className={styles.group} aria-label={name}>
      <h3>{name}</h3>
      <p className={styles.hint}>
        <span>{t('strategy.fact.places', { count: nodes.length })}</span>
        <span>
          {t('strategy.fact.base')} {toLevelText(base)}
        </span>
        {shiftMinutes > 0 && <span>{t('strategy.fact.shiftMinutes', { minutes: shiftMinutes })}</span>}
        {preheat && (
          <span>
            {t('strategy.fact.preheat')}{' '}
            {t('strategy.fact.preheatText', {
              wanted: withUnit(format.number(preheat.wantedC, 1), '°C'),
              hours: preheat.maxHours,
            })}
          </span>
        )}
      </p>
      <WeekEditor week={slots} between={base} />
    </section>
  )
}
