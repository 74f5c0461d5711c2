import { DevicesPage } from './devices-page.tsx'
import { valvePage } from './list/device-page-kind.ts'

/** Valves: list, add, edit, move, replace and retire. */
export default function FmdevmanagerPage() {
  return <DevicesPage kind={valvePage} />
}
