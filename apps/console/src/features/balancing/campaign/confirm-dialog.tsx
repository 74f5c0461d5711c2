import type { CampaignAbility, CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { countOrdered, isHeadOrdered, toOrderFigures } from './members/order-figures.ts'
import { toActKey } from './parts/act-key.ts'
import styles from './parts/campaign.module.css'
import { useCampaignTexts } from './parts/use-texts.ts'

/** Actions that move valves or end a campaign. */
const consequential = ['approve', 'discard', 'trim', 'accept', 'rollback'] as const
type Consequential = (typeof consequential)[number]

const findConsequential = (ability: CampaignAbility | undefined): Consequential | undefined =>
  consequential.find((each) => each === ability)

/** Whether an action needs a confirmation. */
export const isConsequential = (ability: CampaignAbility): boolean => findConsequential(ability) !== undefined

interface ConfirmDialogProps {
  readonly campaign: CampaignDetail
  /** The action to confirm; absent while closed. */
  readonly ability: CampaignAbility | undefined
  readonly busy: boolean
  readonly onConfirm: (ability: CampaignAbility) => void
  readonly onCancel: () => void
}

/** Dialog that describes the effect of an action before it runs. */
export function ConfirmDialog({ campaign, ability, busy, onConfirm, onCancel }: ConfirmDialogProps) {
  const { t } = useTranslation('balancing')
  const requested = findConsequential(ability)
  const word = requested && toActKey(campaign, requested)
  return (
    <Modal
      open={requested !== undefined}
      title={word && t(`campaign.sure.${word}`)}
      okText={word && t(`campaign.act.${word}`)}
      cancelText={t('campaign.act.cancel')}
      okButtonProps={{ danger: requested === 'rollback' || requested === 'discard' }}
      confirmLoading={busy}
      onOk={() => requested && onConfirm(requested)}
      onCancel={onCancel}
      destroyOnHidden
    >
      <div className={styles.means} data-testid="campaign-means">
        <p data-testid="means-place">{toWholeAddress(campaign.nestaddr)}</p>
        {requested && <ActionEffect campaign={campaign} ability={requested} />}
      </div>
    </Modal>
  )
}

function ActionEffect({
  campaign,
  ability,
}: {
  readonly campaign: CampaignDetail
  readonly ability: Consequential
}) {
  const { t } = useTranslation('balancing')
  const texts = useCampaignTexts()
  const format = useFormat()
  switch (ability) {
    case 'approve': {
      const { valves, excluded, settleMs } = campaign
      const figures = toOrderFigures(campaign)
      const { head, ...counts } = figures
      if (counts.waves === 0) return <p>{t('campaign.means.nothing')}</p>
      return (
        <>
          {counts.moves > 0 && <p>{t('campaign.means.moves', { ...counts, valves })}</p>}
          {head && (
            <p data-testid="means-head">
              {t('campaign.means.head', {
                from: format.metric('pump.target', head.fromKpa),
                to: format.metric('pump.target', head.toKpa),
              })}
            </p>
          )}
          {excluded > 0 && <p>{t('campaign.means.excluded', { excluded })}</p>}
          {settleMs !== undefined && <p>{t('campaign.means.waits', { settle: texts.duration(settleMs) })}</p>}
          <p>{t('campaign.means.guards')}</p>
        </>
      )
    }
    case 'trim':
      return <p>{t(`campaign.means.${toActKey(campaign, ability)}`, { round: campaign.round })}</p>
    case 'rollback':
      return <Rollback campaign={campaign} />
    default:
      return <p>{t(`campaign.means.${ability}`)}</p>
  }
}

function Rollback({ campaign }: { readonly campaign: CampaignDetail }) {
  const { t } = useTranslation('balancing')
  const moves = countOrdered(campaign)
  return (
    <>
      <p>{moves === undefined ? t('campaign.means.rollbackAll') : t('campaign.means.rollback', { moves })}</p>
      {isHeadOrdered(campaign) && <p>{t('campaign.means.headBack')}</p>}
    </>
  )
}
