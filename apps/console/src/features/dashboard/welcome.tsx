import { useTranslation } from 'react-i18next'
import { useSession } from '../../shared/session/session-store.ts'
import { Panel } from '../../shared/ui/page-frame.tsx'
import styles from './dashboard.module.css'

/** Welcome for an account without monitoring permissions: its name and its modules. */
export function Welcome() {
  const { t } = useTranslation('dashboard')
  const user = useSession((session) => session.user)
  const modules = useSession((session) => session.modules)
  const pages = (modules ?? []).filter(({ parentId }) => parentId !== null)
  return (
    <div className={styles.welcome} data-testid="welcome">
      <h1>{t('welcome.title', { name: user?.name ?? user?.account ?? '' })}</h1>
      <p>{t('welcome.hint')}</p>
      <Panel title={t('welcome.permitted')}>
        {pages.length === 0 ? (
          t('welcome.none')
        ) : (
          <ul className={styles.permitted}>
            {pages.map((module) => (
              <li key={module.id}>{module.name}</li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  )
}
