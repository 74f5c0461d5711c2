import { modules, type Permission, permissions } from './permissions.ts'

const group = (name: keyof typeof modules): readonly Permission[] => [name, ...modules[name]]

const valveWatching: readonly Permission[] = ['pewph', 'pe-fmreal', 'pe-fmhistory']
const balancing: readonly Permission[] = ['pe-egmonitor', 'pe-sxmonitor', 'pe-enmonitor', 'pe-flowmonitor']

/**
 * The roles every installation starts with (product.md, "roles seeded") and the permission values of each.
 * Control of valves is the permission pe-fmcontrol: who has it may send commands, who lacks it only watches.
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
