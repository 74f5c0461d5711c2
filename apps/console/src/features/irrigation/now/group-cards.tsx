import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from '../irrigation.module.css'
import { useIrrigationText } from '../irrigation-text.ts'

/** The groups of a source with the present openings of their valves. */
export function GroupCards({ source }: { readonly source: IrrigationSource }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const text = useIrrigationText()
  return (
    <section>
      <h3>{t('groups')}</h3>
      <div className={styles.cards}>
        {source.groups.map((group) => (
          <div
            key={group.id}
            className={styles.card}
            data-open={group.valves.some(({ openingPct = 0 }) => openingPct > 0)}
            data-testid={`irrigation-group-${group.id}`}
          >
            <h3>{group.name}</h3>
            {group.moisturePct !== undefined && (
              <small className={styles.hint}>
                {t('moisture', { value: format.number(group.moisturePct, 1) })}
              </small>
            )}
            {group.probes.map(({ deviceId, deviceName }) => (
              <small key={deviceId} className={styles.hint}>
                {t('probe', { name: deviceName })}
              </small>
            ))}
            {group.silentProbes.map((id) => (
              <small key={id} className={styles.alarm} data-testid="irrigation-silent-probe">
                {t('probeSilent', { valve: text.probeName(group, id) })}
              </small>
            ))}
            {group.valves.map(({ deviceId, deviceName, openingPct }) => (
              <small key={deviceId} className={`${styles.line} ${styles.between}`}>
                <span>{deviceName}</span>
                <span>{format.metric('valve.opening', openingPct)}</span>
              </small>
            ))}
          </div>
        ))}
      </div>
    </section>
  )
}
