import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { lazyView } from '../../../shared/lazy/lazy-view.ts'
import { LoadingState } from '../../../shared/ui/states.tsx'
import { DevicesPage } from '../devices-page.tsx'
import type { DevicePageKind } from '../list/device-page-kind.ts'
import { parseRegistryView } from './registry-view.ts'

// Most visits are to the devices.
const ModelList = lazyView(() => import('./model-list.tsx'))
const ProfileList = lazyView(() => import('./profile-list.tsx'))

/** A page of device management: devices, or their models, or profiles, as the address says. */
export function DeviceRegistry({ kind }: { readonly kind: DevicePageKind }) {
  const [search] = useSearchParams()
  const view = parseRegistryView(search)
  if (view === 'devices') return <DevicesPage kind={kind} />
  const List = view === 'models' ? ModelList : ProfileList
  return (
    <Suspense fallback={<LoadingState />}>
      <List kinds={kind.kinds} />
    </Suspense>
  )
}
