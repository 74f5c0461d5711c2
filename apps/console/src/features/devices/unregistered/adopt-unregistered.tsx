import type { UnregisteredDevice } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { ConfigDrawer } from '../config/config-drawer.tsx'
import { AdoptDevice } from './adopt-device.tsx'

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
  return <ConfigDrawer gateway={{ id, imei, name }} isOpen unit={address} onClose={onDone} />
}
