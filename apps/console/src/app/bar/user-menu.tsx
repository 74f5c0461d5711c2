import {
  InfoCircleOutlined,
  KeyOutlined,
  LaptopOutlined,
  LogoutOutlined,
  QuestionCircleOutlined,
  SafetyOutlined,
  UserOutlined,
} from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { showAbout } from '../../features/help/about/about-store.ts'
import { showHelp } from '../../features/help/help-store.ts'
import { showOwnSessions, useOwnSessions } from '../../features/session/own-sessions/own-sessions-store.ts'
import { showOwnPassword, useOwnPassword } from '../../features/session/password/own-password-store.ts'
import { showOwnFactor, useOwnFactor } from '../../features/session/second-factor/own-factor-store.ts'
import { signOut } from '../../features/session/sign-in/sign-out.ts'
import { LazyPart } from '../../shared/lazy/lazy-part.tsx'
import { useSession } from '../../shared/session/session-store.ts'
import { toLoginPath } from '../guard/guard-target.ts'
import { LazyAbout } from '../help/lazy-about.tsx'
import { toChapter } from '../help/to-chapter.ts'
import { useCurrentPage } from '../state/use-current-page.ts'

const loadOwnFactor = () => import('../../features/session/second-factor/own-factor.tsx')
const loadOwnSessions = () => import('../../features/session/own-sessions/own-sessions.tsx')
const loadOwnPassword = () => import('../../features/session/password/own-password.tsx')

/** Menu of the signed-in user: own password, second factor and sessions, help, about box, logout. */
export function UserMenu(): ReactNode {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const page = useCurrentPage()
  const user = useSession((session) => session.user)
  const { isOpen } = useOwnPassword()
  const { isOpen: isFactorOpen } = useOwnFactor()
  const { isOpen: areSessionsOpen } = useOwnSessions()
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
    {
      key: 'factor',
      label: t('factor.title', { ns: 'session' }),
      icon: <SafetyOutlined />,
      onClick: () => showOwnFactor(true),
    },
    {
      key: 'sessions',
      label: t('sessions.title', { ns: 'session' }),
      icon: <LaptopOutlined />,
      onClick: () => showOwnSessions(true),
    },
    {
      key: 'help',
      label: t('title', { ns: 'help' }),
      icon: <QuestionCircleOutlined />,
      extra: 'F1',
      onClick: () => showHelp({ chapter: toChapter(page) }),
    },
    {
      key: 'about',
      label: t('about', { ns: 'help' }),
      icon: <InfoCircleOutlined />,
      onClick: () => showAbout(true),
    },
    { key: 'line-2', type: 'divider' as const },
    { key: 'logout', label: t('navbar.logout'), icon: <LogoutOutlined />, onClick: leave },
  ]
  return (
    <>
      <Dropdown menu={{ items }} trigger={['click']}>
        <Button type="text" icon={<UserOutlined />} data-testid="user-menu">
          <span className="user-name">{user?.name}</span>
        </Button>
      </Dropdown>
      <LazyPart wanted={isFactorOpen} load={loadOwnFactor} onFailed={() => showOwnFactor(false)} />
      <LazyPart wanted={areSessionsOpen} load={loadOwnSessions} onFailed={() => showOwnSessions(false)} />
      <LazyAbout />
      <LazyPart wanted={isOpen} load={loadOwnPassword} onFailed={() => showOwnPassword(false)} />
    </>
  )
}
