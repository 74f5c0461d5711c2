import type { Device } from '@isotherm/contract/devices'
import type { FieldLine } from '@isotherm/contract/gateway-config'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import ConfigDrawer from './config-drawer.tsx'
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

/** Lines that are shown; the editor has all. */
const MAX_SHOWN = 20

interface GatewayLinesProps {
  readonly device: Device
  /** Whether its lines may be changed. */
  readonly isEditable: boolean
}

/** The lines of a gateway with their drivers, and the button that edits them. */
export function GatewayLines({ device, isEditable }: GatewayLinesProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const query = useQuery(linesQuery(device))
  const lines = query.data?.config?.lines ?? []
  // Somebody who is not granted all of its devices does not see its lines.
  if (!query.data || (lines.length === 0 && !isEditable)) return null
  const toName = (line: FieldLine): string => {
    const name = t(`config.driver.${line.driver}`)
    return line.driver === 'northbound-http'
      ? `${name} · ${t(`config.platform.${line.platform.kind}`)}`
      : name
  }
  const facts = lines.slice(0, MAX_SHOWN).map((line) => {
    const count = line.devices.length
    const parts = [toName(line), toPlace(line), t('lines.devices', { count, shown: format.number(count, 0) })]
    // The last part of the address at CTWing is the secret.
    const isPushed = line.driver === 'northbound-http'
    if (isPushed) parts.push(t('lines.push', { path: `/push/${line.id}` }))
    return [line.id, parts.join(' · ')] as const
  })
  const hidden = lines.length - facts.length
  return (
    <section aria-label={t('lines.title')} data-testid="gateway-lines">
      <h3 className={styles.title}>
        {t('lines.title')}
        {isEditable && (
          <Button size="small" data-testid="config-open" onClick={() => setOpen(true)}>
            {lines.length === 0 ? t('config.add') : t('config.edit')}
          </Button>
        )}
      </h3>
      <FactList facts={facts} className={styles.facts} />
      {hidden > 0 && <small>{t('lines.more', { count: hidden })}</small>}
      <ConfigDrawer gateway={device} isOpen={isOpen} onClose={() => setOpen(false)} />
    </section>
  )
}
