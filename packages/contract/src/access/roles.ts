import { modules, type Permission, permissions } from './permissions.ts'

const group = (name: keyof typeof modules): readonly Permission[] => [name, ...modules[name]]

const valveWatching: readonly Permission[] = ['pewph', 'pe-fmreal', 'pe-fmhistory']
const balancing: readonly Permission[] = ['pe-egmonitor', 'pe-sxmonitor', 'pe-enmonitor', 'pe-flowmonitor']

/**
 * The roles of a new installation and their permission values. pe-fmcontrol is the permission
 * to send commands to valves; without it a user can only watch.
 */
export const seededRoles = {
  administrator: permissions,
  dispatcher: permissions.filter((permission) => !group('psys').includes(permission)),
  maintenance: [...valveWatching, 'pe-fmcontrol', ...group('prtjc'), ...group('pdev'), ...group('pgis')],
  service: [...group('prtjc'), ...group('pcalr')],
  irrigation: ['pewph', 'pe-irrreal', 'pe-irrigation', 'pe-irrgrpsx'],
  viewer: [
    ...valveWatching,
    'pe-irrreal',
    ...balancing,
    'prtjc',
    'pr-rtreal',
    'pr-rthistory',
    ...group('pcalr'),
    ...group('pgis'),
    ...group('pstat'),
  ],
} as const satisfies Record<string, readonly Permission[]>

export type SeededRole = keyof typeof seededRoles
