import type { User } from '@isotherm/contract/endpoints/administration/users'
import { Space, Tag } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDrawer, type FormGuard } from '../../../shared/form/form-drawer.tsx'
import { ChangeHistory } from '../../../shared/records/change-history.tsx'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import { StateBadge } from '../../../shared/ui/state-badge.tsx'
import { WrappingTabs } from '../../../shared/ui/wrapping-tabs.tsx'
import type { Assignable } from '../user-queries.ts'
import { toUserName } from '../user-views.ts'
import { SubAccounts } from './sub-accounts.tsx'
import { UserActions } from './user-actions.tsx'
import styles from './user-drawer.module.css'
import { UserEdit } from './user-edit.tsx'
import { UserGrants } from './user-grants.tsx'
import { UserMenu } from './user-menu.tsx'
import { UserPassword } from './user-password.tsx'
import { UserSessions } from './user-sessions.tsx'

interface UserDrawerProps {
  /** Undefined while the drawer is closed. */
  readonly user: User | undefined
  readonly users: readonly User[]
  readonly assignable: Assignable
  readonly callerSeesAll: boolean
  /** Loads the list again and returns the newest state of the user. */
  readonly onReload: () => Promise<User | undefined>
  /** Closes the drawer after a change. */
  readonly onDone: () => void
  readonly onOpen: (user: User) => void
  readonly onAddSubAccount: (parent: User) => void
  readonly onClose: () => void
}

const WIDTH_PX = 640

/** A user: account, granted places, sub-accounts, sessions, password and history. */
export function UserDrawer({ user, onClose, ...rest }: UserDrawerProps) {
  const [tab, setTab] = useState('account')
  return (
    <FormDrawer
      isOpen={user !== undefined}
      widthPx={WIDTH_PX}
      // Nodes to be granted are checked in the tree beside the drawer.
      isModal={tab !== 'grants'}
      title={user && toUserName(user)}
      onClose={() => {
        setTab('account')
        onClose()
      }}
    >
      {(guard) =>
        user && <UserTabs key={user.id} user={user} guard={guard} tab={tab} onTab={setTab} {...rest} />
      }
    </FormDrawer>
  )
}

interface UserTabsProps extends Omit<UserDrawerProps, 'onClose' | 'user'> {
  readonly user: User
  readonly guard: FormGuard
  readonly tab: string
  readonly onTab: (tab: string) => void
}

function UserTabs(props: UserTabsProps) {
  const { user, guard, tab, onTab, users, onReload, onDone, onOpen, onAddSubAccount } = props
  const { t } = useTranslation('users')
  // The form starts anew from the state after a change in another part of the drawer.
  const [base, setBase] = useState(user)
  const onChanged = () => void onReload().then((newest) => newest && setBase(newest))
  const loadNewest = useEffectEvent(onChanged)
  // The list may be older than a change by the user, such as a new password: changes name the version they are based on.
  useEffect(() => loadNewest(), [])
  const mayReadLog = useIsPermitted('ps-oplogsys')
  const subAccounts = users.filter(({ parentId }) => parentId === user.id)
  const may = (ability: User['abilities'][number]) => user.abilities.includes(ability)
  const items = [
    {
      key: 'account',
      label: t('tabs.account'),
      children: (
        <div className={styles.part}>
          <div className={styles.head}>
            <Space>
              <StateBadge state={user.enabled ? 'on' : 'off'}>
                {t(user.enabled ? 'state.enabled' : 'state.disabled')}
              </StateBadge>
              {user.seesAll && <Tag>{t('seesAll')}</Tag>}
              {user.pAccount !== user.account && <Tag>{user.pAccount}</Tag>}
            </Space>
            <UserActions user={user} subAccounts={subAccounts} onChanged={onChanged} onDeleted={onDone} />
          </div>
          {may('edit') ? <UserEdit {...props} key={base.version} user={base} /> : <p>{t('readOnly')}</p>}
        </div>
      ),
    },
    {
      key: 'grants',
      label: t('tabs.grants'),
      children: <UserGrants user={user} onChanged={onChanged} />,
    },
    ...(user.parentId === null
      ? [
          {
            key: 'sub-accounts',
            label: t('tabs.subAccounts', { count: subAccounts.length }),
            children: (
              <SubAccounts subAccounts={subAccounts} onOpen={onOpen} onAdd={() => onAddSubAccount(user)} />
            ),
          },
        ]
      : []),
    {
      key: 'menu',
      label: t('tabs.menu'),
      children: <UserMenu user={user} roles={props.assignable.roles} />,
    },
    { key: 'sessions', label: t('tabs.sessions'), children: <UserSessions user={user} /> },
    ...(may('reset-password')
      ? [
          {
            key: 'password',
            label: t('tabs.password'),
            children: <UserPassword user={user} guard={guard} onChanged={onChanged} onReload={onReload} />,
          },
        ]
      : []),
    ...(mayReadLog
      ? [
          {
            key: 'history',
            label: t('record.history', { ns: 'common' }),
            children: <ChangeHistory entity="account" entityId={String(user.id)} />,
          },
        ]
      : []),
  ]
  return <WrappingTabs className={styles.tabs ?? ''} activeKey={tab} items={items} onChange={onTab} />
}
