import type { Device } from '@isotherm/contract/devices'
import { getDev } from '@isotherm/contract/endpoints/devices/devices'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'

/** Number of devices in use that report through concentrators. */
const countBehind = async (serials: readonly string[], signal: AbortSignal): Promise<number> => {
  const filter = [{ field: 'concentrator', cond: 'in' as const, vstd: serials.join() }]
  return (await call(getDev, { filter, use: 'in-use', limiter: { page: 1, size: 1 } }, { signal })).total
}

/** Explains what the retirement of devices affects. */
export function RetireMeans({ devices }: { readonly devices: readonly Device[] }) {
  const { t } = useTranslation('devices')
  const serials = devices.filter(({ kind }) => kind === 'concentrator').map(({ imei }) => imei)
  const behind = useQuery({
    queryKey: ['devices', 'behind', serials],
    queryFn: ({ signal }) => countBehind(serials, signal),
    enabled: serials.length > 0,
  })
  return (
    <>
      <p>{t('use.retireMeans')}</p>
      {(behind.data ?? 0) > 0 && (
        <Alert type="warning" showIcon title={t('use.behind', { count: behind.data ?? 0 })} />
      )}
    </>
  )
}
