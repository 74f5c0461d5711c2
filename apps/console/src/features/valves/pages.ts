import { ControlOutlined, DashboardOutlined, LineChartOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/ewph/fmreal',
    permission: 'pe-fmreal',
    group: 'pewph',
    title: (t) => t('fmreal.title', { ns: 'valves' }),
    icon: DashboardOutlined,
    load: () => import('./fmreal-page.tsx'),
    showsTree: true,
  },
  {
    path: '/ewph/fmhistory',
    permission: 'pe-fmhistory',
    group: 'pewph',
    title: (t) => t('fmhistory.title', { ns: 'valves' }),
    icon: LineChartOutlined,
    load: () => import('./fmhistory-page.tsx'),
    showsTree: true,
  },
  {
    path: '/ewph/fmcontrol',
    permission: 'pe-fmcontrol',
    group: 'pewph',
    title: (t) => t('fmcontrol.title', { ns: 'valves' }),
    icon: ControlOutlined,
    load: () => import('./fmcontrol-page.tsx'),
    showsTree: true,
  },
]
