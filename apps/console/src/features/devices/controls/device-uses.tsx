import type { Device, DeviceKind } from '@isotherm/contract/devices'
import { getIrrigationUses } from '@isotherm/contract/endpoints/control/irrigation'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import styles from './controls.module.css'

/** The kinds of device that a source or a group of irrigation can have. */
export const mayIrrigate = (kind: DeviceKind): boolean =>
  kind === 'valve' || kind === 'station' || kind === 'sensor'

/** Use of a device for irrigation. A sensor without a use is shown with a hint. */
export function DeviceUses({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const query = useQuery({
    queryKey: ['devices', 'uses', device.id],
    queryFn: ({ signal }) => call(getIrrigationUses, { deviceId: device.id }, { signal }),
  })
  if (device.kind !== 'sensor' && !query.data?.datalist.length) return null
  return (
    <section aria-label={t('uses.title')} data-testid="device-uses">
      <h3>{t('uses.title')}</h3>
      <Answer query={query}>
        {({ datalist }) => (
          <>
            {datalist.length === 0 && <p className={styles.meta}>{t('uses.none')}</p>}
            <ul className={styles.list}>
              {datalist.map(({ part, sourceName, groupName, nestaddr }) => (
                <li key={`${part} ${nestaddr} ${sourceName} ${groupName}`} className={styles.row}>
                  <strong>{t(`uses.part.${part}`)}</strong>
                  <span className={styles.place}>
                    {[sourceName, groupName].filter((name) => name !== undefined).join(' / ')}
                    <span className={styles.meta}> · {toWholeAddress(nestaddr)}</span>
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Answer>
    </section>
  )
}
