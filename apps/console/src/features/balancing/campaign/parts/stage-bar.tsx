import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  ExclamationCircleOutlined,
  LoadingOutlined,
  MinusCircleOutlined,
} from '@ant-design/icons'
import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './campaign.module.css'
import { type StageState, toStages } from './stages.ts'

const icons: Readonly<Record<StageState, ComponentType>> = {
  done: CheckCircleFilled,
  now: LoadingOutlined,
  todo: ClockCircleOutlined,
  cut: ExclamationCircleOutlined,
  stopped: CloseCircleFilled,
  skipped: MinusCircleOutlined,
}

/** Progress of a campaign by stages. A stage that waits for a user has no spinning icon. */
export function StageBar({ campaign }: { readonly campaign: CampaignDetail }) {
  const { t } = useTranslation('balancing')
  const waits = ['draft', 'paused', 'verified'].includes(campaign.state)
  return (
    <ol className={styles.stages} aria-label={t('campaign.stages')}>
      {toStages(campaign).map(({ name, state }) => {
        const Icon = state === 'now' && waits ? ClockCircleOutlined : icons[state]
        return (
          <li
            key={name}
            data-state={state}
            data-testid={`stage-${name}`}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            <Icon aria-hidden />
            <span>{t(`campaign.stage.${name}`)}</span>
            <small>{t(`campaign.stageState.${state}`)}</small>
          </li>
        )
      })}
    </ol>
  )
}
