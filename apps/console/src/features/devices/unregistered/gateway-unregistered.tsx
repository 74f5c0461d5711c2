import type { Device } from '@isotherm/contract/devices'
import type { UnregisteredDevice } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AdoptUnregistered } from './adopt-unregistered.tsx'
import { UnregisteredList } from './unregistered-list.tsx'
import { unregisteredQuery } from './unregistered-query.ts'

interface GatewayUnregisteredProps {
  readonly device: Device
  readonly onAdopted: () => void
}

/** Unregistered devices that one gateway receives; nothing if there are none. */
export function GatewayUnregistered({ device, onAdopted }: GatewayUnregisteredProps) {
  const { t } = useTranslation('devices')
  const [adopted, setAdopted] = useState<UnregisteredDevice>()
  const { data } = useQuery(unregisteredQuery(device.id))
  const isListed = data !== undefined && data.total > 0
  // What is being registered may leave the list meanwhile; its form stays.
  if (!isListed && !adopted) return null
  return (
    <section>
      {isListed && (
        <>
          <h3>{t('unregistered.title')}</h3>
          <UnregisteredList devices={data.datalist} isOfOne onAdopt={setAdopted} />
        </>
      )}
      <AdoptUnregistered
        unregistered={adopted}
        onClose={() => setAdopted(undefined)}
        onDone={() => {
          setAdopted(undefined)
          onAdopted()
        }}
      />
    </section>
  )
}
