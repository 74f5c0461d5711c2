import { FireOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/calr/caldata',
    title: (t) => t('caldata.title', { ns: 'meters' }),
    icon: FireOutlined,
    load: () => import('./caldata-page.tsx'),
    showsTree: true,
    nodeAction: (t) => t('caldata.nodeAction', { ns: 'meters' }),
  },
]
