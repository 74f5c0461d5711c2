import type { Strategy } from '@isotherm/contract/balancing/strategies'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from '../list/list.module.css'
import { StrategyBadge } from './strategy-badge.tsx'
import { useStrategyTexts } from './use-strategy-texts.ts'

interface StrategyLineProps {
  readonly strategy: Strategy
  readonly onOpen: (id: number) => void
}

/** Summary line of a strategy: parameters, result of the last check, next action. */
export function StrategyLine({ strategy, onOpen }: StrategyLineProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const texts = useStrategyTexts()
  const { id, state, nodeName, nestaddr, plan, last, campaign, createdBy } = strategy
  const next = texts.next(strategy)
  return (
    <button type="button" className={styles.line} data-testid={`strategy-${id}`} onClick={() => onOpen(id)}>
      <span className={styles.head}>
        <span className={styles.hint}>#{id}</span>
        <StrategyBadge state={state} />
        <strong title={toWholeAddress(nestaddr)}>{nodeName}</strong>
        {campaign !== undefined && (
          <span className={styles.hint}>{t('strategy.underWay', { id: campaign })}</span>
        )}
      </span>
      <span>{texts.plan(plan)}</span>
      <span className={styles.hint}>
        {last ? `${format.instant(last.at)} ${texts.outcome(last)}` : t('strategy.never')}
      </span>
      {next && <span className={styles.hint}>{next}</span>}
      <span className={styles.hint}>{strategy.startedBy ?? createdBy}</span>
    </button>
  )
}
