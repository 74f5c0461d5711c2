import { useSearchParams } from 'react-router'
import { DevicesPage } from '../devices-page.tsx'
import type { DevicePageKind } from '../list/device-page-kind.ts'
import { ModelList } from './model-list.tsx'
import { ProfileList } from './profile-list.tsx'
import { parseRegistryView } from './registry-view.ts'

/** A page of device management: devices, or their models, or profiles, as the address says. */
export function DeviceRegistry({ kind }: { readonly kind: DevicePageKind }) {
  const [search] = useSearchParams()
  const view = parseRegistryView(search)
  if (view === 'models') return <ModelList kinds={kind.kinds} />
  if (view === 'profiles') return <ProfileList kinds={kind.kinds} />
  return <DevicesPage kind={kind} />
}
