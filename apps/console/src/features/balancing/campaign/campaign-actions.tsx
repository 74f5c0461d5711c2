import {
  CaretRightOutlined,
  CheckOutlined,
  DeleteOutlined,
  PauseOutlined,
  PlayCircleOutlined,
  ReloadOutlined,
  RollbackOutlined,
  ToolOutlined,
} from '@ant-design/icons'
import type { CampaignAbility, CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, toFailureText } from '../../../shared/api/api-error.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { balancingKeys } from '../balancing-keys.ts'
import { ConfirmDialog, isConsequential } from './confirm-dialog.tsx'
import { toActKey } from './parts/act-key.ts'
import { moveCampaign } from './parts/campaign-queries.ts'

const icons: Readonly<Record<CampaignAbility, ReactNode>> = {
  replan: <ReloadOutlined />,
  approve: <PlayCircleOutlined />,
  discard: <DeleteOutlined />,
  pause: <PauseOutlined />,
  resume: <CaretRightOutlined />,
  trim: <ToolOutlined />,
  accept: <CheckOutlined />,
  rollback: <RollbackOutlined />,
}

/** Order of the buttons: the usual next step first. */
const order = ['approve', 'accept', 'resume', 'trim', 'replan', 'pause', 'rollback', 'discard'] as const
const foremost: ReadonlySet<CampaignAbility> = new Set(['approve', 'accept', 'resume'])
const backward: ReadonlySet<CampaignAbility> = new Set(['rollback', 'discard'])

/**
 * Allowed actions on a campaign, from its abilities. Actions that move valves or end the campaign need a confirmation.
 */
export function CampaignActions({ campaign }: { readonly campaign: CampaignDetail }) {
  const { t } = useTranslation('balancing')
  const client = useQueryClient()
  const [confirming, setConfirming] = useState<CampaignAbility>()
  const move = useMutation({
    mutationFn: (wanted: CampaignAbility) => moveCampaign(campaign, wanted),
    onSuccess: (moved) => client.setQueryData(balancingKeys.campaign(moved.id), moved),
    // Another user or the server has changed the campaign, so refetch it.
    onError: (error) => {
      if (error instanceof ApiError && error.isRefusal) showNotice('error', toFailureText(error))
      client.invalidateQueries({ queryKey: balancingKeys.campaign(campaign.id) })
    },
    onSettled: () => {
      setConfirming(undefined)
      client.invalidateQueries({ queryKey: balancingKeys.lists })
    },
  })
  const offered = order.filter((ability) => campaign.abilities.includes(ability))
  return (
    <>
      {offered.map((ability) => (
        <Button
          key={ability}
          type={foremost.has(ability) ? 'primary' : 'default'}
          danger={backward.has(ability)}
          icon={icons[ability]}
          loading={move.isPending && move.variables === ability}
          disabled={move.isPending}
          data-testid={`campaign-${ability}`}
          onClick={() => (isConsequential(ability) ? setConfirming(ability) : move.mutate(ability))}
        >
          {t(`campaign.act.${toActKey(campaign, ability)}`)}
        </Button>
      ))}
      <ConfirmDialog
        campaign={campaign}
        // The action may no longer be allowed.
        ability={confirming !== undefined && campaign.abilities.includes(confirming) ? confirming : undefined}
        busy={move.isPending}
        onConfirm={move.mutate}
        onCancel={() => setConfirming(undefined)}
      />
    </>
  )
}
