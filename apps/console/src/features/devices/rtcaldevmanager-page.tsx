import { roomPage } from './list/device-page-kind.ts'
import { DevicesPage } from './list/devices-page.tsx'

/** Room temperature collectors: list, add, edit, move, replace and retire. */
export default function RtcaldevmanagerPage() {
  return <DevicesPage kind={roomPage} />
}
