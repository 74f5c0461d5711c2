import { HOME_PATH } from '@isotherm/contract/access/routes'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useConsoleMenu } from '../../shared/access/console-menu.ts'
import { useSelectedNodes } from '../../shared/nodes/tree-selection.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { Panel } from '../../shared/ui/page-frame.tsx'
import styles from './dashboard.module.css'
import { RolePanels } from './roles/role-panels.tsx'

/** Home of an account that may not read valves: its name, what its role needs, and the pages that it may open. */
export function Welcome() {
  const { t } = useTranslation('dashboard')
  const user = useSession((session) => session.user)
  const modules = useSession((session) => session.modules)
  const { listPages } = useConsoleMenu()
  const nodes = useSelectedNodes()
  const pages = listPages(modules ?? []).filter(({ path }) => path !== HOME_PATH)
  return (
    <div className={styles.welcome} data-testid="welcome">
      <h1>{t('welcome.title', { name: user?.name ?? user?.account ?? '' })}</h1>
      <p>{t('welcome.hint')}</p>
      {nodes && (
        <div className={styles.grid}>
          <RolePanels nodes={nodes} />
        </div>
      )}
      <Panel title={t('welcome.permitted')}>
        {pages.length === 0 ? (
          t('welcome.none')
        ) : (
          <ul className={styles.permitted}>
            {pages.map(({ path, title }) => (
              <li key={path}>
                <Link to={path}>{title}</Link>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  )
}
