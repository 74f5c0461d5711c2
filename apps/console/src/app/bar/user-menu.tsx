import { KeyOutlined, LogoutOutlined, UserOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { showOwnPassword, useOwnPassword } from '../../features/session/password/own-password-store.ts'
import { signOut } from '../../features/session/sign-in/sign-out.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { Piece } from '../../shared/ui/piece.tsx'
import { toLoginPath } from '../guard/guard-target.ts'

const loadOwnPassword = () => import('../../features/session/password/own-password.tsx')

/** Name of the user, change of the own password, and the logout. */
export function UserMenu(): ReactNode {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const user = useSession((session) => session.user)
  const { isOpen } = useOwnPassword()
  const leave = () => {
    signOut()
    void navigate(toLoginPath('/'))
  }
  const items = [
    { key: 'who', label: user ? `${user.name} · ${user.account}` : '', disabled: true },
    { key: 'line', type: 'divider' as const },
    {
      key: 'password',
      label: t('password.title', { ns: 'session' }),
      icon: <KeyOutlined />,
      onClick: () => showOwnPassword(true),
    },
    { key: 'logout', label: t('navbar.logout'), icon: <LogoutOutlined />, onClick: leave },
  ]
  return (
    <>
      <Dropdown menu={{ items }} trigger={['click']}>
        <Button type="text" icon={<UserOutlined />} data-testid="user-menu">
          <span className="user-name">{user?.name}</span>
        </Button>
      </Dropdown>
      <Piece wanted={isOpen} load={loadOwnPassword} onFailed={() => showOwnPassword(false)} />
    </>
  )
}
