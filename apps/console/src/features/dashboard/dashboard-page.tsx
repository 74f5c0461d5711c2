import { useSession } from '../../shared/session/session-store.ts'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { Overview } from './overview.tsx'
import { Welcome } from './welcome.tsx'

/** Permissions that allow reading devices (contract, endpoints/monitoring/telemetry). */
const WATCHING = ['pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory'] as const

/** Home page: overview of the network, or a welcome without permission for it. */
export default function DashboardPage() {
  const mayWatch = useSession(({ permitted }) => WATCHING.some((permission) => permitted.has(permission)))
  return <PageFrame>{mayWatch ? <Overview /> : <Welcome />}</PageFrame>
}
