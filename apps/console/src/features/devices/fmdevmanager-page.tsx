import { valvePage } from './list/device-page-kind.ts'
import { DevicesPage } from './list/devices-page.tsx'

/** Valves: list, add, edit, move, replace and retire. */
export default function FmdevmanagerPage() {
  return <DevicesPage kind={valvePage} />
}
