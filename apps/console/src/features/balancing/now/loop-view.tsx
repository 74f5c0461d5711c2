import type { BalanceNow } from '@isotherm/contract/balancing/balance-now'
import type { NodeKey } from '@isotherm/contract/tree'
import { useMemo } from 'react'
import { metricOfKind } from '../cell-metric.ts'
import { IndicesStrip } from '../indices/indices-strip.tsx'
import { CampaignsPanel } from '../list/campaigns-panel.tsx'
import { useCampaignList } from '../list/use-campaign-list.ts'
import type { BalancingProps } from '../page-props.ts'
import { NetworkPanel } from '../pipes/network-panel.tsx'
import { StrategiesPanel } from '../strategies/strategies-panel.tsx'
import { TrendPanel } from '../trend/trend-panel.tsx'
import styles from './loop.module.css'
import { LoopHead } from './loop-head.tsx'
import { SectionPanel } from './section-panel.tsx'
import { ValvesPanel } from './valves-panel.tsx'

interface LoopViewProps extends BalancingProps {
  readonly node: NodeKey
  readonly balance: BalanceNow
}

const noCampaigns = [] as const

/** Balance of one loop: present state, trend, campaigns and strategies. */
export default function LoopView({ kind, url, change, nodes, node, balance }: LoopViewProps) {
  const own = useMemo(() => [node], [node])
  const list = useCampaignList(own, kind)
  const open = (campaign: number) => change({ campaign }, { push: true })
  const choose = (valve: number | undefined) => change({ valve })
  return (
    <div className={styles.loop} data-testid="loop">
      <LoopHead kind={kind} url={url} change={change} nodes={nodes} node={node} balance={balance} />
      <IndicesStrip kind={kind} indices={balance.indices} />
      <div className={styles.columns}>
        <SectionPanel
          valves={balance.valves}
          metric={url.by ?? metricOfKind[kind]}
          onMetric={(by) => change({ by: by === metricOfKind[kind] ? undefined : by })}
          chosen={url.valve}
          onChoose={choose}
        />
        <div className={styles.column}>
          <TrendPanel
            node={node}
            range={url.range}
            onRange={(range) => change({ range })}
            campaigns={list.campaigns ?? noCampaigns}
          />
          <StrategiesPanel
            kind={kind}
            nodes={own}
            onOpen={(strategy) => change({ strategy }, { push: true })}
            onAdd={() => change({ isForm: true }, { push: true })}
          />
          <CampaignsPanel kind={kind} list={list} onOpen={open} />
        </div>
      </div>
      <ValvesPanel
        valves={balance.valves}
        query={url}
        onQuery={change}
        chosen={url.valve}
        onChoose={choose}
      />
      <NetworkPanel node={node} />
    </div>
  )
}
