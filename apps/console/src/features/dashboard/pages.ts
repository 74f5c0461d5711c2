import { HomeOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/dashboard',
    title: (t) => t('title', { ns: 'dashboard' }),
    icon: HomeOutlined,
    load: () => import('./dashboard-page.tsx'),
    affix: true,
    showsTree: true,
  },
]
