import { DevicesPage } from './devices-page.tsx'
import { meterPage } from './list/device-page-kind.ts'

/** Heat meters: list, add, edit, move, replace and retire. */
export default function CaldevmanagerPage() {
  return <DevicesPage kind={meterPage} />
}
