import { BarChartOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/stat/statsys',
    title: (t) => t('statsys.title', { ns: 'statistics' }),
    icon: BarChartOutlined,
    load: () => import('./statsys-page.tsx'),
    showsTree: true,
    nodeAction: (t) => t('statsys.nodeAction', { ns: 'statistics' }),
  },
]
