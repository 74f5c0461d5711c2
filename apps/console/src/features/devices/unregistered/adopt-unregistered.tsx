import type { UnregisteredDevice } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { LazyPart } from '../../../shared/lazy/lazy-part.tsx'
import { AdoptDevice } from './adopt-device.tsx'

const loadConfig = () => import('../config/config-drawer.tsx')

interface AdoptUnregisteredProps {
  /** Undefined closes the drawer. */
  readonly unregistered: UnregisteredDevice | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The drawer that registers a device that was received; for a unit, the one that adds a line for it. */
export function AdoptUnregistered({ unregistered, onClose, onDone }: AdoptUnregisteredProps) {
  if (unregistered?.via !== 'unit')
    return <AdoptDevice unregistered={unregistered} onClose={onClose} onDone={onDone} />
  const { gatewayId: id, gatewaySerial: imei, gateway: name, address } = unregistered
  return (
    <LazyPart
      wanted
      load={loadConfig}
      onFailed={onClose}
      props={{ gateway: { id, imei, name }, isOpen: true, unit: address, onClose: onDone }}
    />
  )
}
