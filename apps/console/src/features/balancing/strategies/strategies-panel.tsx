import { PlusOutlined } from '@ant-design/icons'
import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import listStyles from '../list/list.module.css'
import { useMayControl } from '../may-control.ts'
import { StrategyLine } from './strategy-line.tsx'
import { strategiesQuery } from './strategy-queries.ts'

/** Maximum of listed strategies. A loop has at most one running strategy. */
const MAX_LISTED = 100

interface StrategiesPanelProps {
  readonly kind: BalanceKind
  readonly nodes: readonly NodeKey[]
  readonly onOpen: (id: number) => void
  /** Absent if no strategy can be created, above several loops. */
  readonly onAdd?: () => void
}

/** The strategies of a selection, newest first. */
export function StrategiesPanel({ kind, nodes, onOpen, onAdd }: StrategiesPanelProps) {
  const { t } = useTranslation('balancing')
  const mayControl = useMayControl(kind)
  const found = useQuery(strategiesQuery(nodes, kind, MAX_LISTED))
  const add = onAdd && mayControl && (
    <Button size="small" icon={<PlusOutlined />} data-testid="strategy-add" onClick={onAdd}>
      {t('strategy.add')}
    </Button>
  )
  return (
    <Panel title={t('strategy.list')} extra={add}>
      <Answer query={found}>
        {({ datalist, total }) =>
          datalist.length === 0 ? (
            <EmptyState title={t('strategy.none')} hint={t('strategy.noneHint')} />
          ) : (
            <>
              <ul className={listStyles.list} data-testid="strategies">
                {datalist.map((strategy) => (
                  <li key={strategy.id}>
                    <StrategyLine strategy={strategy} onOpen={onOpen} />
                  </li>
                ))}
              </ul>
              {datalist.length < total && (
                <p className={listStyles.hint}>{t('strategy.shown', { shown: datalist.length, total })}</p>
              )}
            </>
          )
        }
      </Answer>
    </Panel>
  )
}
