import { CalendarOutlined, ClockCircleOutlined, EnvironmentOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/ewph/irrreal',
    title: (t) => t('irrreal.title', { ns: 'irrigation' }),
    icon: EnvironmentOutlined,
    load: () => import('./irrreal-page.tsx'),
    showsTree: true,
  },
  {
    path: '/ewph/irrigation',
    title: (t) => t('irrigation.title', { ns: 'irrigation' }),
    icon: CalendarOutlined,
    load: () => import('./irrigation-page.tsx'),
    showsTree: true,
  },
  {
    path: '/ewph/irrgrpsx',
    title: (t) => t('irrgrpsx.title', { ns: 'irrigation' }),
    icon: ClockCircleOutlined,
    load: () => import('./irrgrpsx-page.tsx'),
    showsTree: true,
  },
]
