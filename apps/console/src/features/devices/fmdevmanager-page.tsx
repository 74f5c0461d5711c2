import { valvePage } from './list/device-page-kind.ts'
import { DeviceRegistry } from './models/device-registry.tsx'

/** Valves: list, add, edit, move, replace and retire. */
export default function FmdevmanagerPage() {
  return <DeviceRegistry kind={valvePage} />
}
