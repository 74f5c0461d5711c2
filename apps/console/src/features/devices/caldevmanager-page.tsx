import { meterPage } from './list/device-page-kind.ts'
import { DeviceRegistry } from './models/device-registry.tsx'

/** Heat meters: list, add, edit, move, replace and retire. */
export default function CaldevmanagerPage() {
  return <DeviceRegistry kind={meterPage} />
}
