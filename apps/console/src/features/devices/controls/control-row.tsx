import {
  type ControlDevice,
  deleteCtlDev,
  updateCtlDev,
} from '@isotherm/contract/endpoints/devices/control-devices'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Popconfirm, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import styles from './controls.module.css'

interface ControlRowProps {
  readonly control: ControlDevice
  readonly onChanged: () => void
}

/** One purpose of a device at a node, with what the user may do with it: enable, disable, remove. */
export function ControlRow({ control, onChanged }: ControlRowProps) {
  const { t } = useTranslation(['devices', 'common'])
  const { id, version, purpose, name, nestaddr, enabled, abilities } = control
  const enabling = useMutation({
    mutationFn: (isEnabled: boolean) => call(updateCtlDev, { id, version, enabled: isEnabled }),
    onSettled: onChanged,
  })
  const removing = useMutation({
    mutationFn: () => call(deleteCtlDev, { items: [{ id, version }] }),
    onSettled: onChanged,
  })
  const error = enabling.error ?? removing.error
  return (
    <li>
      <div className={styles.row}>
        <strong>{t(`controls.purpose.${purpose}`)}</strong>
        <span className={styles.place}>
          {toWholeAddress(nestaddr)}
          <span className={styles.meta}> · {name}</span>
        </span>
        <Switch
          size="small"
          checked={enabled}
          disabled={!abilities.includes('edit')}
          loading={enabling.isPending}
          aria-label={t('controls.enabled', { name })}
          onChange={(isEnabled) => enabling.mutate(isEnabled)}
        />
        {abilities.includes('remove') && (
          <Popconfirm
            title={t('controls.removeQuestion', { purpose: t(`controls.purpose.${purpose}`) })}
            description={t('controls.removeMeans')}
            okText={t('controls.remove')}
            okButtonProps={{ danger: true }}
            cancelText={t('form.cancel', { ns: 'common' })}
            onConfirm={() => removing.mutate()}
          >
            <Button size="small" danger loading={removing.isPending} data-testid="control-remove">
              {t('controls.remove')}
            </Button>
          </Popconfirm>
        )}
      </div>
      {error && <Alert type="error" showIcon title={toFailureText(error)} />}
    </li>
  )
}
