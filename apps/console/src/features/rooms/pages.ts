import { HomeOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/rtjc/rtreal',
    title: (t) => t('rtreal.title', { ns: 'rooms' }),
    nodeAction: (t) => t('rtreal.nodeAction', { ns: 'rooms' }),
    icon: HomeOutlined,
    load: () => import('./rtreal-page.tsx'),
    showsTree: true,
  },
]
