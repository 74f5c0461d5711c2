import { gatewayPage } from './list/device-page-kind.ts'
import { DeviceRegistry } from './models/device-registry.tsx'

/** Concentrators and station controllers: list, add, edit, move, replace and retire. */
export default function DatadevmanagerPage() {
  return <DeviceRegistry kind={gatewayPage} />
}
