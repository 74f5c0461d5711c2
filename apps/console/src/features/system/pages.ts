import { NumberOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/sys/rolecodesys',
    title: (t) => t('rolecodesys.title', { ns: 'system' }),
    icon: NumberOutlined,
    load: () => import('./role-codes/rolecodesys-page.tsx'),
  },
]
