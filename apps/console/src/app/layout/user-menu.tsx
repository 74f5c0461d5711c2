import { LogoutOutlined, UserOutlined } from '@ant-design/icons'
import { useMutation } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { signOut } from '../../features/session/sign-in.ts'
import { toFailureText } from '../../shared/api/api-error.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { showNotice } from '../../shared/ui/notices.ts'
import { toLoginPath } from '../guard/decide.ts'

/** Who is signed in, and the way out. */
export function UserMenu(): ReactNode {
  const { t } = useTranslation(['common', 'session'])
  const navigate = useNavigate()
  const user = useSession((session) => session.user)
  const logout = useMutation({
    mutationFn: signOut,
    onSuccess: () => navigate(toLoginPath('/')),
    onError: (error) =>
      showNotice('error', t('logout.failed', { ns: 'session', reason: toFailureText(error) })),
  })
  const items = [
    { key: 'who', label: user ? `${user.name} · ${user.account}` : '', disabled: true },
    { key: 'line', type: 'divider' as const },
    { key: 'logout', label: t('navbar.logout'), icon: <LogoutOutlined />, onClick: () => logout.mutate() },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <Button type="text" icon={<UserOutlined />} loading={logout.isPending} data-testid="user-menu">
        <span className="user-name">{user?.name}</span>
      </Button>
    </Dropdown>
  )
}
