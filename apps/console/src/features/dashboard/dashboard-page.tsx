import { useSession } from '../../shared/session/session-store.ts'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { Overview } from './overview.tsx'
import { Welcome } from './welcome.tsx'

/** Permissions with which the server lets devices be read (contract, endpoints/telemetry). */
const WATCHING = ['pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory'] as const

/** Home: the network at a glance for who may watch it, a welcome for who may not. */
export default function DashboardPage() {
  const mayWatch = useSession(({ permitted }) => WATCHING.some((permission) => permitted.has(permission)))
  return <PageFrame>{mayWatch ? <Overview /> : <Welcome />}</PageFrame>
}
