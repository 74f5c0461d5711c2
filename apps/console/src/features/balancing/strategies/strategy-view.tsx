import { ArrowLeftOutlined } from '@ant-design/icons'
import type { StrategyDetail, StrategyPlan } from '@isotherm/contract/balancing/strategies'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState, LoadingState } from '../../../shared/ui/states.tsx'
import campaignStyles from '../campaign/parts/campaign.module.css'
import { IndicesStrip } from '../indices/indices-strip.tsx'
import { useMayControl } from '../may-control.ts'
import { balanceQuery } from '../queries.ts'
import StrategyForm from './form/strategy-form.tsx'
import { PlanFacts } from './plan-facts.tsx'
import { PreviewPanels } from './preview/preview-panels.tsx'
import styles from './strategy.module.css'
import { StrategyActions } from './strategy-actions.tsx'
import { StrategyBadge } from './strategy-badge.tsx'
import { CampaignLink, StrategyHistory } from './strategy-history.tsx'
import { previewPlan, strategyQuery } from './strategy-queries.ts'
import { useStrategyTexts } from './use-strategy-texts.ts'

interface StrategyViewProps {
  readonly id: number
  readonly isChanging: boolean
  readonly onChanging: (isChanging: boolean) => void
  readonly onCampaign: (id: number) => void
  readonly onClose: () => void
}

/** One strategy with parameters, history and next action, shown instead of the page. */
export default function StrategyView({ id, isChanging, ...actions }: StrategyViewProps) {
  const { t } = useTranslation('balancing')
  const found = useQuery(strategyQuery(id))
  return (
    <section
      className={campaignStyles.view}
      aria-label={t('strategy.title', { id })}
      data-testid="strategy-view"
    >
      <Answer query={found}>
        {(strategy) =>
          strategy === null ? (
            <EmptyState
              title={t('strategy.gone')}
              action={<Button onClick={actions.onClose}>{t('strategy.back')}</Button>}
            />
          ) : isChanging && strategy.state !== 'ended' ? (
            <StrategyForm
              at={strategy}
              node={strategy.node}
              name={strategy.nodeName}
              kind={strategy.plan.kind}
              onStored={() => actions.onChanging(false)}
              onCancel={() => actions.onChanging(false)}
            />
          ) : (
            <Strategy strategy={strategy} {...actions} />
          )
        }
      </Answer>
    </section>
  )
}

interface StrategyProps extends Omit<StrategyViewProps, 'id' | 'isChanging'> {
  readonly strategy: StrategyDetail
}

function Strategy({ strategy, onChanging, onCampaign, onClose }: StrategyProps) {
  const { t } = useTranslation('balancing')
  const { node, plan } = strategy
  const mayControl = useMayControl(plan.kind)
  const balance = useQuery(balanceQuery(node))
  const preview = useMutation({ mutationFn: (wanted: StrategyPlan) => previewPlan(node, wanted) })
  // Show the dry run only if the plan has not changed since.
  const isCurrent = preview.variables === plan
  return (
    <>
      <header className={campaignStyles.head}>
        <Head strategy={strategy} onClose={onClose} />
        <CurrentActivity strategy={strategy} onCampaign={onCampaign} />
        <div className={campaignStyles.actions} role="toolbar" aria-label={t('strategy.act.label')}>
          <StrategyActions
            strategy={strategy}
            onChange={() => onChanging(true)}
            onPreview={mayControl ? () => preview.mutate(plan) : undefined}
            isPreviewing={preview.isPending}
          />
        </div>
      </header>
      {balance.data && <IndicesStrip kind={plan.kind} indices={balance.data.indices} />}
      {preview.isPending && <LoadingState text={t('strategy.preview.busy')} />}
      {isCurrent && preview.error && <Alert type="error" showIcon title={toFailureText(preview.error)} />}
      {isCurrent && preview.data && <PreviewPanels preview={preview.data} plan={plan} />}
      <div className={campaignStyles.pair}>
        <Panel title={t('strategy.plan')}>
          <PlanFacts plan={plan} />
        </Panel>
        <Panel title={t('strategy.history')}>
          <StrategyHistory strategy={strategy} onCampaign={onCampaign} />
        </Panel>
      </div>
    </>
  )
}

/** Head of a strategy: name, place and users. */
function Head({ strategy, onClose }: Pick<StrategyProps, 'strategy' | 'onClose'>) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const texts = useStrategyTexts()
  const { id, nodeName, nestaddr, stationName, plan, state, startedBy, startedAt, endedAt } = strategy
  return (
    <>
      <div className={campaignStyles.title}>
        <Button icon={<ArrowLeftOutlined />} onClick={onClose} data-testid="strategy-back">
          {t('strategy.back')}
        </Button>
        <h1 title={toWholeAddress(nestaddr)}>{nodeName}</h1>
        <StrategyBadge state={state} />
        <span className={campaignStyles.faint}>
          {t(`strategy.kind.${plan.kind}`)} · {t('strategy.title', { id })}
        </span>
      </div>
      <p className={campaignStyles.facts}>
        <strong>{texts.plan(plan)}</strong>
        {stationName !== nodeName && (
          <span>
            {t('strategy.station')} {stationName}
          </span>
        )}
        <span>
          {t('strategy.created', {
            account: strategy.createdBy,
            instant: format.instant(strategy.createdAt),
          })}
        </span>
        {startedBy !== undefined && (
          <span>{t('strategy.started', { account: startedBy, instant: format.instant(startedAt) })}</span>
        )}
        {endedAt !== undefined && <span>{t('strategy.ended', { instant: format.instant(endedAt) })}</span>}
      </p>
    </>
  )
}

/** Result of the last check, campaign in progress and next action. */
function CurrentActivity({ strategy, onCampaign }: Pick<StrategyProps, 'strategy' | 'onCampaign'>) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const texts = useStrategyTexts()
  const { last, campaign, supply } = strategy
  const next = texts.next(strategy)
  const isHalted = last !== undefined && HALTS.has(last.kind) && strategy.state === 'paused'
  const summary = (
    <p className={styles.outcome} data-testid="strategy-last">
      {last ? (
        <>
          <span>{`${t('strategy.last')} ${format.instant(last.at)}`}</span>
          <strong>{texts.outcome(last)}</strong>
          {last.campaign !== undefined && <CampaignLink id={last.campaign} onCampaign={onCampaign} />}
        </>
      ) : (
        <span>{t('strategy.never')}</span>
      )}
      {campaign !== undefined && campaign !== last?.campaign && (
        <CampaignLink id={campaign} onCampaign={onCampaign} />
      )}
      {supply && (
        <span data-testid="strategy-supply-check">
          {`${t('strategy.supply.fact')} ${format.instant(supply.at)} · ${texts.supply(supply)}`}
        </span>
      )}
      {next && <span data-testid="strategy-next">{next}</span>}
    </p>
  )
  return isHalted ? <Alert type="warning" showIcon title={summary} /> : summary
}

/** Outcomes that pause the strategy and need a user's decision. */
const HALTS: ReadonlySet<string> = new Set(['aborted', 'turned-back', 'access-lost'])
