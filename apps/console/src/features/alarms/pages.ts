import { AlertOutlined } from '@ant-design/icons'
import { ALARMS_PATH } from '../../shared/alarms/alarms-path.ts'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: ALARMS_PATH,
    title: (t) => t('title', { ns: 'alarms' }),
    nodeAction: (t) => t('nodeAction', { ns: 'alarms' }),
    icon: AlertOutlined,
    load: () => import('./rtalarm-page.tsx'),
    showsTree: true,
  },
]
