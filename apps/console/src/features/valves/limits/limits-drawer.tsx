import type { ControlLimits } from '@isotherm/contract/command'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import text from '../lists/text.module.css'
import { limitNames } from './limit-draft.ts'
import { limitsQuery } from './limit-queries.ts'
import styles from './limits.module.css'
import { LimitsForm } from './limits-form.tsx'
import { toStrictest } from './strictest.ts'
import { type LimitNode, useLimitChain } from './use-limit-chain.ts'

interface LimitsDrawerProps {
  readonly isWanted: boolean
  readonly onClose: () => void
}

const WIDTH_PX = 520

/** The command limits for the valves below the current tree node: those set on it and on the nodes above it. */
export function LimitsDrawer({ isWanted, onClose }: LimitsDrawerProps) {
  const { t } = useTranslation('valves')
  return (
    <SideDrawer isWanted={isWanted} title={t('limits.title')} widthPx={WIDTH_PX} onClose={onClose}>
      <Limits />
    </SideDrawer>
  )
}

function Limits() {
  const { t } = useTranslation('valves')
  const chain = useLimitChain()
  const limits = useQuery(limitsQuery(chain.map(({ key }) => key)))
  const [chosen, setChosen] = useState<string>()
  if (chain.length === 0) return <EmptyState title={t('limits.none')} hint={t('limits.noneHint')} />
  if (limits.isPending) return <LoadingState />
  if (limits.isError) return <ErrorState error={limits.error} onRetry={() => limits.refetch()} />
  const setOn = new Map(limits.data.map((each) => [each.node, each]))
  const node = chain.find(({ key }) => key === chosen) ?? chain.at(-1)
  return (
    <div className={styles.limits} data-testid="limits">
      <p className={text.hint}>{t('limits.means')}</p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('limits.node')}</th>
            {limitNames.map((name) => (
              <th key={name} scope="col">
                {t(`limits.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {chain.map((each) => (
            <LimitRow
              key={each.key}
              node={each}
              limits={setOn.get(each.key) ?? {}}
              isChosen={each === node}
              onChoose={() => setChosen(each.key)}
            />
          ))}
        </tbody>
        <Strictest limits={limits.data} />
      </table>
      {node && (
        <LimitsForm
          key={node.key}
          node={node}
          limits={setOn.get(node.key) ?? {}}
          version={setOn.get(node.key)?.version ?? 0}
          maySet={setOn.get(node.key)?.abilities.includes('set') ?? false}
        />
      )}
    </div>
  )
}

interface LimitRowProps {
  readonly node: LimitNode
  readonly limits: ControlLimits
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function LimitRow({ node, limits, isChosen, onChoose }: LimitRowProps) {
  const format = useFormat()
  return (
    <tr data-chosen={isChosen || undefined}>
      <th scope="row">
        <button type="button" className="bare" aria-pressed={isChosen} onClick={onChoose}>
          {node.label}
        </button>
      </th>
      {limitNames.map((name) => (
        <td key={name}>{format.metric('valve.opening', limits[name])}</td>
      ))}
    </tr>
  )
}

/** The limits in force for one command below the lowest node. */
function Strictest({ limits }: { readonly limits: readonly ControlLimits[] }) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const { minOpeningPct, maxStepPct } = toStrictest(limits)
  return (
    <tfoot>
      <tr>
        <th scope="row">{t('limits.strictest')}</th>
        <td>{format.metric('valve.opening', minOpeningPct)}</td>
        <td>{format.metric('valve.opening', maxStepPct)}</td>
        <td className={text.hint}>{t('limits.eachOwn')}</td>
      </tr>
    </tfoot>
  )
}
