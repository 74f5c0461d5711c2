import { AreaChartOutlined, LineChartOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/ewph/fmhistory',
    title: (t) => t('fmhistory.title', { ns: 'history' }),
    nodeAction: (t) => t('fmhistory.nodeAction', { ns: 'history' }),
    icon: LineChartOutlined,
    load: () => import('./fmhistory-page.tsx'),
    showsTree: true,
  },
  {
    path: '/rtjc/rthistory',
    title: (t) => t('rthistory.title', { ns: 'history' }),
    nodeAction: (t) => t('rthistory.nodeAction', { ns: 'history' }),
    icon: AreaChartOutlined,
    load: () => import('./rthistory-page.tsx'),
    showsTree: true,
  },
]
