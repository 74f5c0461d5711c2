import type { User } from '@isotherm/contract/endpoints/administration/users'
import { Button, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../shared/ui/states.tsx'
import styles from './user-drawer.module.css'

interface SubAccountsProps {
  readonly subAccounts: readonly User[]
  readonly onOpen: (user: User) => void
  /** Opens the form of a new sub-account. */
  readonly onAdd: () => void
}

/** The sub-accounts of a user. */
export function SubAccounts({ subAccounts, onOpen, onAdd }: SubAccountsProps) {
  const { t } = useTranslation('users')
  return (
    <div className={styles.part}>
      {subAccounts.length === 0 && (
        <EmptyState title={t('subAccounts.none')} hint={t('subAccounts.noneHint')} />
      )}
      <ul className={styles.rows} data-testid="sub-accounts">
        {subAccounts.map((user) => (
          <li key={user.id} className={styles.row}>
            <Button type="link" onClick={() => onOpen(user)}>
              {user.account} {user.name}
            </Button>
            {!user.enabled && <Tag>{t('state.disabled')}</Tag>}
          </li>
        ))}
      </ul>
      <Button data-testid="sub-account-add" onClick={onAdd}>
        {t('subAccounts.add')}
      </Button>
    </div>
  )
}
