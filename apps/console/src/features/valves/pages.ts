import { ClusterOutlined, ControlOutlined, DashboardOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/ewph/fmreal',
    title: (t) => t('fmreal.title', { ns: 'valves' }),
    nodeAction: (t) => t('fmreal.nodeAction', { ns: 'valves' }),
    icon: DashboardOutlined,
    load: () => import('./fmreal-page.tsx'),
    showsTree: true,
  },
  {
    path: '/ewph/fmcontrol',
    title: (t) => t('fmcontrol.title', { ns: 'valves' }),
    nodeAction: (t) => t('fmcontrol.nodeAction', { ns: 'valves' }),
    icon: ControlOutlined,
    load: () => import('./fmcontrol-page.tsx'),
    showsTree: true,
  },
  {
    path: '/group/groupctl',
    title: (t) => t('groupctl.title', { ns: 'valves' }),
    icon: ClusterOutlined,
    load: () => import('./groupctl-page.tsx'),
  },
]
