import { DevicesPage } from './devices-page.tsx'
import { roomPage } from './list/device-page-kind.ts'

/** Room temperature collectors: list, add, edit, move, replace and retire. */
export default function RtcaldevmanagerPage() {
  return <DevicesPage kind={roomPage} />
}
