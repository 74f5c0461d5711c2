import { DevicesPage } from './devices-page.tsx'
import { gatewayPage } from './list/device-page-kind.ts'

/** Concentrators and station controllers: list, add, edit, move, replace and retire. */
export default function DatadevmanagerPage() {
  return <DevicesPage kind={gatewayPage} />
}
