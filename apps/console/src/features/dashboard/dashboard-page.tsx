import { getNetworkFigures } from '@isotherm/contract/endpoints/network/network-figures'
import { useMayCall } from '../../shared/session/may-call.ts'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { BackupNotice } from './backup-notice.tsx'
import styles from './dashboard.module.css'
import { Overview } from './overview.tsx'
import { SetupList } from './setup/setup-list.tsx'
import { useSetup } from './setup/use-setup.ts'
import { Welcome } from './welcome.tsx'

/** Home page: overview of the network, or a welcome without permission for it; before both, a missing backup and what a new installation lacks. */
export default function DashboardPage() {
  const mayWatch = useMayCall(getNetworkFigures)
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
