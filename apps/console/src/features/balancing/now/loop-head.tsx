import { LeftOutlined } from '@ant-design/icons'
import type { BalanceNow } from '@isotherm/contract/balancing/balance-now'
import { type NodeKey, ROOT_KEY } from '@isotherm/contract/tree'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import { AgeBadge } from '../../../shared/ui/badge.tsx'
import { toBalancingSearch } from '../balancing-url.ts'
import { AllIndices } from '../indices/indices-strip.tsx'
import type { BalancingProps } from '../page-props.ts'
import { PumpButton } from '../pump/pump-button.tsx'
import { SavingButton } from '../savings/saving-button.tsx'
import { StartButton } from '../start/start-button.tsx'
import { SupplyButton } from '../supply/supply-button.tsx'
import styles from './loop.module.css'

interface LoopHeadProps extends BalancingProps {
  readonly node: NodeKey
  readonly balance: BalanceNow
}

/** Age at which figures are outdated, ms: two report periods of 15 min. */
const STALE_MS = 30 * MINUTE_MS
const JUDGE_EVERY_S = 5

/** Head of a loop: name, age of the figures and actions. */
export function LoopHead({ kind, url, change, node, balance }: LoopHeadProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const now = useNow(JUDGE_EVERY_S)
  const label = useNodeLabel(node)
  const { stationName, valves, at, indices, meanReturnC } = balance
  const name = label ?? stationName
  const measured = valves.filter(({ returnC }) => returnC !== undefined).length
  return (
    <header className={styles.head}>
      {url.at === node && (
        <Link
          className={styles.back}
          to={{ search: toBalancingSearch({ ...url, at: undefined, valve: undefined }).toString() }}
        >
          <LeftOutlined /> {t('place.all')}
        </Link>
      )}
      <h1 data-testid="loop-name">{name === stationName ? name : `${stationName} / ${name}`}</h1>
      <span className={styles.facts}>
        <span title={t('indices.meanReturnMeaning')}>
          {t('indices.meanReturn')} {format.metric('temp.return', meanReturnC)}
        </span>
        <span>{t('indices.measured', { measured, valves: valves.length })}</span>
        <span>
          {t('place.newest')} <AgeBadge ts={at} stale={at !== undefined && now - at > STALE_MS} now={now} />
        </span>
      </span>
      <span className={styles.acts}>
        <AllIndices indices={indices} valves={valves} />
        <PumpButton deviceId={balance.stationDeviceId} stationName={stationName} />
        <SupplyButton deviceId={balance.stationDeviceId} stationName={stationName} />
        <SavingButton deviceId={balance.stationDeviceId} stationName={stationName} />
        <StartButton
          node={node}
          name={name}
          nestaddr={toNodeAddress(valves[0]?.nestaddr, name) ?? `${stationName},${name}`}
          kind={kind}
          heatNowWM2={indices.heatWM2}
          onCampaign={(campaign) => change({ campaign }, { push: true })}
        />
      </span>
    </header>
  )
}

/** The part of the address of something below a node that ends with the node's name. */
function toNodeAddress(below: string | undefined, name: string): string | undefined {
  const names = below?.split(',') ?? []
  const last = names.lastIndexOf(name)
  return last < 0 ? undefined : names.slice(0, last + 1).join()
}

/** Name of a loaded tree node. */
export const useNodeLabel = (node: NodeKey): string | undefined =>
  useTreeSelection(({ tree }) => {
    const found = node === ROOT_KEY ? undefined : tree.find(node)
    return found === undefined ? undefined : tree.view(found).label
  })
