import { useSession } from '../../shared/session/session-store.ts'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { BackupNotice } from './backup-notice.tsx'
import styles from './dashboard.module.css'
import { Overview } from './overview.tsx'
import { SetupList } from './setup/setup-list.tsx'
import { useSetup } from './setup/use-setup.ts'
import { Welcome } from './welcome.tsx'

/** Permissions that allow reading devices (contract, endpoints/monitoring/telemetry). */
const WATCHING = ['pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory'] as const

/** Home page: overview of the network, or a welcome without permission for it; before both, a missing backup and what a new installation lacks. */
export default function DashboardPage() {
  const mayWatch = useSession(({ permitted }) => WATCHING.some((permission) => permitted.has(permission)))
  const steps = useSetup()
  return (
    <PageFrame>
      <div className={styles.home}>
        <BackupNotice />
        {steps.length > 0 && <SetupList steps={steps} />}
        {mayWatch ? <Overview isNew={steps.length > 0} /> : <Welcome />}
      </div>
    </PageFrame>
  )
}
