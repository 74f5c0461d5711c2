import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import { useTranslation } from 'react-i18next'
import styles from './access.module.css'
import { useConsoleMenu } from './console-menu.ts'

/** The menu that a user with these modules sees after signing in. Disabled modules are left out. */
export function MenuPreview({ modules }: { readonly modules: readonly ModuleItem[] }) {
  const { t } = useTranslation('common')
  const { preview } = useConsoleMenu()
  const entries = preview(modules.filter(({ enabled }) => enabled))
  return (
    <section aria-label={t('access.preview')} className={styles.preview}>
      <h3>{t('access.preview')}</h3>
      <dl data-testid="menu-preview">
        {entries.map(({ key, title, titles }) => (
          <div key={key}>
            <dt>{title}</dt>
            <dd>{titles.join(' · ')}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
