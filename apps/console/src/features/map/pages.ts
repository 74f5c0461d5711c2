import { EnvironmentOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'
import { MAP_PATH } from './view/map-path.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: MAP_PATH,
    title: (t) => t('title', { ns: 'map' }),
    nodeAction: (t) => t('nodeAction', { ns: 'map' }),
    icon: EnvironmentOutlined,
    load: () => import('./gisshow-page.tsx'),
    showsTree: true,
  },
]
