import {
  ApartmentOutlined,
  ApiOutlined,
  AppstoreOutlined,
  FileSearchOutlined,
  NumberOutlined,
  SafetyOutlined,
} from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/sys/modelsys',
    title: (t) => t('modelsys.title', { ns: 'system' }),
    icon: AppstoreOutlined,
    load: () => import('./modules/modelsys-page.tsx'),
  },
  {
    path: '/sys/organsys',
    title: (t) => t('organsys.title', { ns: 'system' }),
    icon: ApartmentOutlined,
    load: () => import('./organs/organsys-page.tsx'),
  },
  {
    path: '/sys/rolecodesys',
    title: (t) => t('rolecodesys.title', { ns: 'system' }),
    icon: NumberOutlined,
    load: () => import('./role-codes/rolecodesys-page.tsx'),
  },
  {
    path: '/sys/rolesys',
    title: (t) => t('rolesys.title', { ns: 'system' }),
    icon: SafetyOutlined,
    load: () => import('./roles/rolesys-page.tsx'),
  },
  {
    path: '/sys/logsys',
    title: (t) => t('logsys.title', { ns: 'system' }),
    icon: FileSearchOutlined,
    load: () => import('./log/logsys-page.tsx'),
  },
  {
    path: '/sys/interfacesys',
    title: (t) => t('interfacesys.title', { ns: 'system' }),
    icon: ApiOutlined,
    load: () => import('./interfaces/interfacesys-page.tsx'),
  },
]
