import { AlertOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/rtjc/rtalarm',
    title: (t) => t('title', { ns: 'alarms' }),
    nodeAction: (t) => t('nodeAction', { ns: 'alarms' }),
    icon: AlertOutlined,
    load: () => import('./rtalarm-page.tsx'),
    showsTree: true,
  },
]
