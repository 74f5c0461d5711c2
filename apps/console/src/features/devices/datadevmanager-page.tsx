import { gatewayPage } from './list/device-page-kind.ts'
import { DevicesPage } from './list/devices-page.tsx'

/** Concentrators and station controllers: list, add, edit, move, replace and retire. */
export default function DatadevmanagerPage() {
  return <DevicesPage kind={gatewayPage} />
}
