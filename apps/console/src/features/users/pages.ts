import { SolutionOutlined, TeamOutlined, UserOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/users/usersetting',
    title: (t) => t('usersetting.title', { ns: 'users' }),
    icon: UserOutlined,
    load: () => import('./list/usersetting-page.tsx'),
    showsTree: true,
  },
  {
    path: '/sys/usersys',
    title: (t) => t('usersys.title', { ns: 'users' }),
    icon: TeamOutlined,
    load: () => import('./list/usersys-page.tsx'),
    showsTree: true,
  },
  {
    path: '/sys/htusersys',
    title: (t) => t('htusersys.title', { ns: 'users' }),
    icon: SolutionOutlined,
    load: () => import('./list/htusersys-page.tsx'),
    showsTree: true,
  },
]
