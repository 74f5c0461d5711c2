import {
  ApartmentOutlined,
  BugOutlined,
  CloudServerOutlined,
  DashboardOutlined,
  HomeOutlined,
} from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/dev/devdebug',
    title: (t) => t('devdebug.title', { ns: 'devices' }),
    icon: BugOutlined,
    load: () => import('./devdebug-page.tsx'),
    identity: ['id'],
  },
  {
    path: '/dev/caldevmanager',
    title: (t) => t('caldevmanager.title', { ns: 'devices' }),
    icon: DashboardOutlined,
    load: () => import('./caldevmanager-page.tsx'),
    showsTree: true,
  },
  {
    path: '/dev/rtcaldevmanager',
    title: (t) => t('rtcaldevmanager.title', { ns: 'devices' }),
    icon: HomeOutlined,
    load: () => import('./rtcaldevmanager-page.tsx'),
    showsTree: true,
  },
  {
    path: '/dev/datadevmanager',
    title: (t) => t('datadevmanager.title', { ns: 'devices' }),
    icon: CloudServerOutlined,
    load: () => import('./datadevmanager-page.tsx'),
    showsTree: true,
  },
  {
    path: '/dev/fmdevmanager',
    title: (t) => t('fmdevmanager.title', { ns: 'devices' }),
    icon: ApartmentOutlined,
    load: () => import('./fmdevmanager-page.tsx'),
    showsTree: true,
  },
]
