import type { Device } from '@isotherm/contract/devices'
import { getDev } from '@isotherm/contract/endpoints/devices/devices'
import { getPlace } from '@isotherm/contract/endpoints/network/tree'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import styles from './debug.module.css'

/** More devices are not at one place that has a label. */
const MOST = 100

interface PlaceDevicesProps {
  readonly node: NodeKey
  readonly onOpen: (id: number) => void
}

/** The devices at the place of a scanned label. */
export function PlaceDevices({ node, onOpen }: PlaceDevicesProps) {
  const { t } = useTranslation(['devices', 'common'])
  const query = useQuery({
    queryKey: ['devices', 'place', node],
    queryFn: async ({ signal }) => {
      const [place, { datalist }] = await Promise.all([
        call(getPlace, { node }, { signal }),
        call(getDev, { nodes: [node], limiter: { page: 1, size: MOST } }, { signal }),
      ])
      return { place, devices: datalist }
    },
  })
  const toLine = ({ kind, name, imei }: Device) =>
    `${t(`deviceKind.${kind}`, { ns: 'common' })} · ${name} · ${imei}`
  return (
    <Answer query={query}>
      {({ place, devices }) => (
        <Panel title={toWholeAddress(place.nestaddr)}>
          {devices.length === 0 ? (
            <EmptyState title={t('debug.placeEmpty')} />
          ) : (
            <ul className={styles.place} data-testid="place-devices">
              {devices.map((device) => (
                <li key={device.id}>
                  <Button type="link" onClick={() => onOpen(device.id)}>
                    {toLine(device)}
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </Panel>
      )}
    </Answer>
  )
}
