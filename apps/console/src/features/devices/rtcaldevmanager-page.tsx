import { roomPage } from './list/device-page-kind.ts'
import { DeviceRegistry } from './models/device-registry.tsx'

/** Room temperature collectors: list, add, edit, move, replace and retire. */
export default function RtcaldevmanagerPage() {
  return <DeviceRegistry kind={roomPage} />
}
