import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { BalanceNow } from '@isotherm/contract/balancing/balance-now'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyView } from '../../shared/lazy/lazy-view.ts'
import { useSelectedNodes } from '../../shared/nodes/tree-selection.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { LoadingState } from '../../shared/ui/states.tsx'
import { usePageUrl } from '../../shared/url/use-page-url.ts'
import { findPlaceNode, parseBalancingUrl, toBalancingSearch } from './balancing-url.ts'
import { useMayControl } from './may-control.ts'
import { useNodeLabel } from './now/loop-head.tsx'
import type { BalancingProps } from './page-props.ts'
import { balanceQuery } from './queries.ts'
import { StationsView } from './stations/stations-view.tsx'
import { useStrategyEvents } from './strategies/use-strategy-events.ts'
import { useCampaignEvents } from './use-campaign-events.ts'

// The page loads each of its views when it is first shown.
const LoopView = lazyView(() => import('./now/loop-view.tsx'))
const CampaignView = lazyView(() => import('./campaign/campaign-view.tsx'))
const StrategyView = lazyView(() => import('./strategies/strategy-view.tsx'))
const StrategyForm = lazyView(() => import('./strategies/form/strategy-form.tsx'))

export const TemperaturePage = () => <BalancingPage kind="temperature" />
export const SequencePage = () => <BalancingPage kind="sequence" />
export const EnergyPage = () => <BalancingPage kind="energy" />
export const FlowPage = () => <BalancingPage kind="flow" />

/** Balancing page: shows balance, strategies and campaigns of the selection, or only one campaign or strategy. */
function BalancingPage({ kind }: { readonly kind: BalanceKind }) {
  const nodes = useSelectedNodes()
  const [url, change] = usePageUrl(parseBalancingUrl, toBalancingSearch)
  useCampaignEvents()
  useStrategyEvents()
  const page = { kind, url, change }
  return (
    <PageFrame>
      {url.campaign !== undefined ? (
        <Suspense fallback={<LoadingState />}>
          <CampaignView
            key={url.campaign}
            id={url.campaign}
            onClose={() => change({ campaign: undefined }, { push: true })}
          />
        </Suspense>
      ) : url.strategy !== undefined ? (
        <Suspense fallback={<LoadingState />}>
          <StrategyView
            key={url.strategy}
            id={url.strategy}
            isChanging={url.isForm}
            onChanging={(isForm) => change({ isForm }, { push: true })}
            onCampaign={(campaign) => change({ campaign }, { push: true })}
            onClose={() => change({ strategy: undefined, isForm: false }, { push: true })}
          />
        </Suspense>
      ) : nodes ? (
        <Place {...page} nodes={nodes} />
      ) : (
        <SelectionGone />
      )}
    </PageFrame>
  )
}

function Place(props: BalancingProps) {
  const node = findPlaceNode(props.nodes, props.url)
  return node === undefined ? <StationsView {...props} /> : <PlaceAt {...props} key={node} node={node} />
}

/** Shows the loop of a node, or the stations below a node above several loops. */
function PlaceAt({ node, ...props }: BalancingProps & { readonly node: NodeKey }) {
  const balance = useQuery(balanceQuery(node))
  return (
    <Answer query={balance}>
      {(found) =>
        found === null ? <StationsView {...props} /> : <PlaceIn {...props} node={node} balance={found} />
      }
    </Answer>
  )
}

/** The loop of a node, or the form for a new strategy. */
function PlaceIn(props: BalancingProps & { readonly node: NodeKey; readonly balance: BalanceNow }) {
  const { kind, url, change, node, balance } = props
  const label = useNodeLabel(node)
  const mayControl = useMayControl(kind)
  return (
    <Suspense fallback={<LoadingState />}>
      {url.isForm && mayControl ? (
        <StrategyForm
          node={node}
          name={label ?? balance.stationName}
          kind={kind}
          onStored={(strategy) => change({ strategy, isForm: false }, { push: true })}
          onCancel={() => change({ isForm: false })}
        />
      ) : (
        <LoopView {...props} />
      )}
    </Suspense>
  )
}
