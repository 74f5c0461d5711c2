import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { useTranslation } from 'react-i18next'
import styles from '../irrigation.module.css'

/** The sensors of its own that a source has, and which of them report nothing. */
export function OwnSensors({ sensors }: { readonly sensors: IrrigationSource['ownSensors'] }) {
  const { t } = useTranslation('irrigation')
  if (sensors.length === 0) return null
  return (
    <div className={styles.line} data-testid="irrigation-sensors">
      {sensors.map(({ setting, deviceName, isSilent }) => (
        <small key={setting} className={isSilent ? styles.alarm : styles.hint}>
          {t(isSilent ? 'sensorSilent' : 'sensor', { what: t(`source.${setting}`), name: deviceName })}
        </small>
      ))}
    </div>
  )
}
