import {
  EditOutlined,
  ExperimentOutlined,
  PauseOutlined,
  PlayCircleOutlined,
  StopOutlined,
} from '@ant-design/icons'
import type { StrategyDetail } from '@isotherm/contract/balancing/strategies'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, toFailureText } from '../../../shared/api/api-error.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { balancingKeys } from '../balancing-keys.ts'
import { moveStrategy, type StrategyMove } from './strategy-queries.ts'

const icons: Readonly<Record<StrategyMove, ReactNode>> = {
  start: <PlayCircleOutlined />,
  pause: <PauseOutlined />,
  end: <StopOutlined />,
}
const moves = ['start', 'pause', 'end'] as const satisfies readonly StrategyMove[]

interface StrategyActionsProps {
  readonly strategy: StrategyDetail
  readonly onChange: () => void
  /** Absent without permission for a dry run. */
  readonly onPreview: (() => void) | undefined
  readonly isPreviewing: boolean
}

/** Allowed actions on a strategy, from its abilities, each with a confirmation. */
export function StrategyActions({ strategy, onChange, onPreview, isPreviewing }: StrategyActionsProps) {
  const { t } = useTranslation('balancing')
  const client = useQueryClient()
  const [confirming, setConfirming] = useState<StrategyMove>()
  const { id, abilities } = strategy
  const move = useMutation({
    mutationFn: (wanted: StrategyMove) => moveStrategy(strategy, wanted),
    onSuccess: (moved) => client.setQueryData(balancingKeys.strategy(moved.id), moved),
    // Another user or the server changed it: refetch.
    onError: (error) => {
      if (error instanceof ApiError && error.isRefusal) showNotice('error', toFailureText(error))
      client.invalidateQueries({ queryKey: balancingKeys.strategy(id) })
    },
    onSettled: () => {
      setConfirming(undefined)
      client.invalidateQueries({ queryKey: balancingKeys.strategyLists })
    },
  })
  // The ability may be gone in the meantime.
  const sure = confirming !== undefined && abilities.includes(confirming) ? confirming : undefined
  return (
    <>
      {moves
        .filter((each) => abilities.includes(each))
        .map((each) => (
          <Button
            key={each}
            type={each === 'start' ? 'primary' : 'default'}
            danger={each === 'end'}
            icon={icons[each]}
            disabled={move.isPending}
            data-testid={`strategy-${each}`}
            onClick={() => setConfirming(each)}
          >
            {t(`strategy.act.${each}`)}
          </Button>
        ))}
      {abilities.includes('change') && (
        <Button icon={<EditOutlined />} data-testid="strategy-change" onClick={onChange}>
          {t('strategy.act.change')}
        </Button>
      )}
      {onPreview && (
        <Button
          icon={<ExperimentOutlined />}
          loading={isPreviewing}
          data-testid="strategy-preview"
          onClick={onPreview}
        >
          {t('strategy.act.preview')}
        </Button>
      )}
      <Modal
        open={sure !== undefined}
        title={sure && t(`strategy.sure.${sure}`)}
        okText={sure && t(`strategy.act.${sure}`)}
        cancelText={t('strategy.act.cancel')}
        okButtonProps={{ danger: sure === 'end' }}
        confirmLoading={move.isPending}
        onOk={() => sure && move.mutate(sure)}
        onCancel={() => setConfirming(undefined)}
        destroyOnHidden
      >
        <div data-testid="strategy-means">
          <p>{toWholeAddress(strategy.nestaddr)}</p>
          {sure && <ActionEffect strategy={strategy} move={sure} />}
        </div>
      </Modal>
    </>
  )
}

/** Text of the effect. */
function ActionEffect({
  strategy,
  move,
}: {
  readonly strategy: StrategyDetail
  readonly move: StrategyMove
}) {
  const { t } = useTranslation('balancing')
  const { plan, nodeName, campaign } = strategy
  if (move !== 'start')
    return (
      <>
        <p>{t(`strategy.means.${move}`)}</p>
        {campaign !== undefined && <p>{t('strategy.means.underWay', { id: campaign })}</p>}
      </>
    )
  return (
    <>
      <p>
        {plan.kind === 'sequence'
          ? t('strategy.means.sequence', { node: nodeName, groups: plan.groups.length })
          : t('strategy.means.looks', { hours: plan.everyHours, node: nodeName, trims: plan.trims })}
      </p>
      <p>{t('strategy.means.guards')}</p>
    </>
  )
}
