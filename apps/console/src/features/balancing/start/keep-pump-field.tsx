import { Checkbox } from 'antd'
import { useTranslation } from 'react-i18next'
import field from '../fields/field.module.css'

interface KeepPumpFieldProps {
  readonly isLeft: boolean
  readonly onKeep: (isLeft: boolean) => void
}

/** Choice to leave the head of the pump alone, with what a lower head saves and costs. */
export function KeepPumpField({ isLeft, onKeep }: KeepPumpFieldProps) {
  const { t } = useTranslation('balancing')
  return (
    <div className={field.field}>
      <Checkbox data-testid="keep-pump" checked={isLeft} onChange={({ target }) => onKeep(target.checked)}>
        {t('start.keepPump')}
      </Checkbox>
      <small>{t('start.keepPumpHint')}</small>
    </div>
  )
}
