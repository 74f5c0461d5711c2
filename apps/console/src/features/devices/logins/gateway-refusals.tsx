import type { Device } from '@isotherm/contract/devices'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { RefusalList } from './refusal-list.tsx'
import { refusalsQuery } from './refusals-query.ts'

/** Refusals of one gateway; nothing if there are none. */
export function GatewayRefusals({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const { data } = useQuery(refusalsQuery(device.id))
  if (!data || data.total === 0) return null
  return (
    <section>
      <h3>{t('refusal.title')}</h3>
      <RefusalList refusals={data.datalist} />
    </section>
  )
}
