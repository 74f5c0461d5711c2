import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { ApiError, toFailureText } from '../../../shared/api/api-error.ts'

interface RefusalProps {
  readonly error: Error
  readonly onCampaign: (id: number) => void
}

/** Reason why there is no plan, with a link to the campaign that occupies the loop. */
export function Refusal({ error, onCampaign }: RefusalProps) {
  const { t } = useTranslation('balancing')
  const taken =
    error instanceof ApiError && error.code === 'campaign.loop-taken'
      ? Number(error.params.campaign)
      : Number.NaN
  return (
    <Alert
      type="error"
      showIcon
      title={toFailureText(error)}
      action={
        Number.isSafeInteger(taken) && (
          <Button size="small" onClick={() => onCampaign(taken)}>
            {t('start.taken')}
          </Button>
        )
      }
    />
  )
}
