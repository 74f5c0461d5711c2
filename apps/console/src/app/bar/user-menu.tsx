import { LogoutOutlined, UserOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { signOut } from '../../features/session/sign-in/sign-out.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { toLoginPath } from '../guard/guard-target.ts'

/** Name of the user and the logout. */
export function UserMenu(): ReactNode {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const user = useSession((session) => session.user)
  const leave = () => {
    signOut()
    void navigate(toLoginPath('/'))
  }
  const items = [
    { key: 'who', label: user ? `${user.name} · ${user.account}` : '', disabled: true },
    { key: 'line', type: 'divider' as const },
    { key: 'logout', label: t('navbar.logout'), icon: <LogoutOutlined />, onClick: leave },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <Button type="text" icon={<UserOutlined />} data-testid="user-menu">
        <span className="user-name">{user?.name}</span>
      </Button>
    </Dropdown>
  )
}
