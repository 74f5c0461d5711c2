import { meterPage } from './list/device-page-kind.ts'
import { DevicesPage } from './list/devices-page.tsx'

/** Heat meters: list, add, edit, move, replace and retire. */
export default function CaldevmanagerPage() {
  return <DevicesPage kind={meterPage} />
}
