import { GroupOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/group/groupmanage',
    title: (t) => t('groupmanage.title', { ns: 'groups' }),
    icon: GroupOutlined,
    load: () => import('./groupmanage-page.tsx'),
  },
]
