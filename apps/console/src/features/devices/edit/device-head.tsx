import type { Device } from '@isotherm/contract/devices'
import { rbacGetDataLastFromLeafs } from '@isotherm/contract/endpoints/monitoring/real-values'
import { SECOND_MS } from '@isotherm/kernel/durations'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { DeviceFindings } from '../../../shared/devices/device-findings.tsx'
import { useCurveText } from '../../../shared/devices/use-curve-text.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { Age } from '../../../shared/format/age.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { RowTrust } from '../list/device-columns.tsx'
import { toDeviceRow } from '../list/device-row.ts'
import styles from './edit.module.css'

/** Refetch interval: a person who has just installed a device waits for its first report. */
const REFRESH_MS = 10 * SECOND_MS

/** Newest values of one device. */
export const realQuery = (id: number) => ({
  queryKey: ['devices', 'real', id],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const { datalist } = await call(rbacGetDataLastFromLeafs, { deviceIds: [id] }, { signal })
    return datalist[0] ?? null
  },
  refetchInterval: REFRESH_MS,
})

/** Identity and state of a device, above its form. */
export function DeviceHead({ device }: { readonly device: Device }) {
  const { t } = useTranslation(['devices', 'common'])
  const format = useFormat()
  const toCurve = useCurveText()
  const isUsed = device.use === 'in-use'
  const { data: real } = useQuery({ ...realQuery(device.id), enabled: isUsed })
  const row = toDeviceRow(real ?? { device }, undefined)
  const facts = [
    [t('column.place'), toWholeAddress(device.nestaddr)],
    [t('column.serial'), device.imei],
    [t('column.model'), device.model],
    [t('column.concentrator'), device.concentrator ?? t('ownLink')],
    ...(device.curve ? [[t('column.curve'), toCurve(device)] as const] : []),
    ...(device.retiredAt === undefined ? [] : [[t('retired'), format.instant(device.retiredAt)] as const]),
  ] as const
  return (
    <>
      {(real !== undefined || !isUsed) && (
        <p className={styles.line}>
          <RowTrust row={row} />
          {row.seenAt !== undefined && <Age ts={row.seenAt} />}
        </p>
      )}
      <FactList facts={facts} className={styles.facts} />
      {isUsed && <DeviceFindings deviceId={device.id} />}
    </>
  )
}
