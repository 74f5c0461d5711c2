import type { Device } from '@isotherm/contract/devices'
import type { FieldLine } from '@isotherm/contract/gateway-config'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import styles from './lines.module.css'
import { linesQuery } from './lines-query.ts'

/** Where a line leads: what its other side is known by. */
function toPlace(line: FieldLine): string {
  switch (line.driver) {
    case 'dtu-tcp':
      return line.registration
    case 'dtu-mqtt':
      return `${line.url} · ${line.upTopic}`
    case 'modbus-tcp':
      return `${line.host}:${line.port}`
    case 'chirpstack-mqtt':
      return `${line.url} · ${line.applicationId}`
    case 'northbound-http':
      return line.platform.url
  }
}

/** The lines of a gateway with their drivers; nothing if it has no configuration. */
export function GatewayLines({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const lines = useQuery(linesQuery(device)).data?.config?.lines ?? []
  if (lines.length === 0) return null
  const toName = (line: FieldLine): string =>
    line.driver === 'northbound-http'
      ? t(`lines.platform.${line.platform.kind}`)
      : t(`lines.driver.${line.driver}`)
  const facts = lines.map((line) => {
    const count = line.devices.length
    const parts = [toName(line), toPlace(line), t('lines.devices', { count, shown: format.number(count, 0) })]
    // The last part of the address at CTWing is the secret.
    const isPushed = line.driver === 'northbound-http'
    if (isPushed) parts.push(t('lines.push', { path: `/push/${line.id}` }))
    return [line.id, parts.join(' · ')] as const
  })
  return (
    <section aria-label={t('lines.title')} data-testid="gateway-lines">
      <h3>{t('lines.title')}</h3>
      <FactList facts={facts} className={styles.facts} />
    </section>
  )
}
