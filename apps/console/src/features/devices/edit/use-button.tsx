import type { Device } from '@isotherm/contract/devices'
import { updateDev } from '@isotherm/contract/endpoints/devices/devices'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { RetireMeans } from './retire-means.tsx'

interface UseButtonProps {
  readonly device: Device
  readonly onDone: () => void
}

/** Retires a device, or puts a retired one back into use, after a question. */
export function UseButton({ device, onDone }: UseButtonProps) {
  const { t } = useTranslation(['devices', 'common'])
  const isRetired = device.use === 'retired'
  const changing = useMutation({
    mutationFn: () => {
      const { id, version } = device
      return call(updateDev, { id, version, use: isRetired ? 'in-use' : 'retired' })
    },
    onSuccess: onDone,
  })
  return (
    <>
      <Popconfirm
        title={t(isRetired ? 'use.backQuestion' : 'use.retireQuestion', { count: 1 })}
        description={isRetired ? t('use.backMeans') : <RetireMeans devices={[device]} />}
        okText={t(isRetired ? 'use.back' : 'use.retire')}
        okButtonProps={{ danger: !isRetired }}
        cancelText={t('form.cancel', { ns: 'common' })}
        onConfirm={() => changing.mutate()}
      >
        <Button danger={!isRetired} loading={changing.isPending} data-testid="device-use">
          {t(isRetired ? 'use.back' : 'use.retire')}
        </Button>
      </Popconfirm>
      {changing.error && <Alert type="error" showIcon title={toFailureText(changing.error)} />}
    </>
  )
}
